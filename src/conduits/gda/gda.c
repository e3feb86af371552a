/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "conduits/gda/gda_connect.h"
#include "device/kernels.h"
#include "gpu/gpu.h"
#include "host/turn.h"

static struct {
	int is_open;
	shmemg_stream stream; /* of the kernel that waits for queues */
} gda;

/* Messages of one entry: more is cut by kernels, at a multiple of a page. */
#define MESSAGE_BYTES_MAX ((uint64_t)1 << 30)
#define MESSAGE_ALIGN ((uint64_t)4096)

static int is_asked_for(void)
{
	return shmemi.env.gda != SHMEMI_GDA_AUTO;
}

int gda_possible(void)
{
	char why[256];
	int found;

	if (shmemi.env.gda == SHMEMI_GDA_NO)
		return 0;
	if (!is_asked_for() && shmemg == &shmemg_cpu)
		return 0;
	found = gda_nics_found(why, sizeof(why));
	if (found || !is_asked_for())
		return found;
	shmemi_log_error("SHMEM_GDA: %s", why);
	return -ENODEV;
}

static int open_parts(void)
{
	int rc = gda_nics_open();

	if (rc)
		return rc;
	rc = gda_pool_open();
	if (rc)
		goto close_nics;
	rc = gda_memory_open();
	if (rc)
		goto close_pool;
	rc = gda_watch_open();
	if (rc)
		goto close_memory;
	rc = gda_connect_open();
	if (rc)
		goto close_watch;
	return 0;

close_watch:
	gda_watch_close();
close_memory:
	gda_memory_close();
close_pool:
	gda_pool_close();
close_nics:
	gda_nics_close();
	return rc;
}

static void close_parts(void)
{
	gda_connect_close();
	gda_watch_close();
	gda_memory_close();
	gda_pool_close();
	gda_nics_close();
}

int gda_open(void)
{
	int rc = gda.is_open ? 0 : open_parts();

	if (rc || gda.is_open)
		return rc;
	rc = shmemg->stream_create(&gda.stream);
	if (rc)
		close_parts();
	gda.is_open = !rc;
	return rc;
}

int gda_show(void)
{
	return gda.is_open ? gda_remote_show() : 0;
}

void gda_part(void)
{
	if (gda.is_open)
		gda_call_part();
}

void gda_close(void)
{
	if (!gda.is_open)
		return;
	gda.is_open = 0;
	shmemg->stream_destroy(gda.stream);
	close_parts();
}

/* Each NIC's largest message is a power of two, or near one. */
static uint64_t message_bytes(void)
{
	uint64_t bytes = MESSAGE_BYTES_MAX;

	for (unsigned int i = 0; i < gda_n_nics; i++)
		if (gda_nics[i].port_attr.max_msg_sz < bytes)
			bytes = gda_nics[i].port_attr.max_msg_sz;
	return bytes > MESSAGE_ALIGN ? bytes / MESSAGE_ALIGN * MESSAGE_ALIGN :
				       MESSAGE_ALIGN;
}

static uint32_t atomics(void)
{
	for (unsigned int i = 0; i < gda_n_nics; i++)
		if (!gda_nic_atomics(&gda_nics[i]))
			return 0;
	return (uint32_t)gda_memory_atomics();
}

void gda_tell(struct shmemd_gda *kernels)
{
	memset(kernels, 0, sizeof(*kernels));
	if (!gda.is_open)
		return;
	gda_memory_tell(kernels);
	gda_watch_tell(kernels);
	gda_rows_tell(kernels);
	kernels->format = gda_nics[0].provider->format;
	kernels->atomics = atomics();
	kernels->message_bytes = message_bytes();
}

const char *gda_kind(void)
{
	return gda.is_open ? gda_nics[0].provider->name : NULL;
}

void gda_begin(unsigned int ctx, long options)
{
	if (gda.is_open)
		gda_connect_begin(ctx, options);
}

/*
 * Kernels alone know what their queues have done. Those that run now may be in
 * the way of one more, so it is not waited for once nothing is left to do.
 */
void gda_quiet(void)
{
	static const struct shmemd_args_order none;
	struct shmemi_wait wait = { 0 };

	if (!gda.is_open || gda_rows_quiet())
		return;
	if (shmemg->launch(&shmemd_kernel_gda_quiet, 1, 64, &none, sizeof(none),
			   gda.stream))
		shmemi_fatal("can't wait for queues of NICs");
	while (shmemg->stream_query(gda.stream) == -EAGAIN && !gda_rows_quiet())
		shmemi_turn(&wait);
}
