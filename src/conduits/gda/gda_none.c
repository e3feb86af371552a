/* SPDX-License-Identifier: BSD-3-Clause */
/* gda of a library that was built without rdma-core: there is none. */
#include "conduits/gda/gda.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <shmem/device/state.h>

#include "base/log.h"
#include "host/env.h"
#include "host/shmemi.h"

int gda_possible(void)
{
	if (shmemi.env.gda == SHMEMI_GDA_AUTO ||
	    shmemi.env.gda == SHMEMI_GDA_NO)
		return 0;
	shmemi_log_error("SHMEM_GDA: this library was built without rdma-core; "
			 "expected auto or no");
	return -ENOSYS;
}

int gda_open(void)
{
	return 0;
}

int gda_show(void)
{
	return 0;
}

void gda_part(void)
{
}

void gda_close(void)
{
}

void gda_tell(struct shmemd_gda *kernels)
{
	memset(kernels, 0, sizeof(*kernels));
}

const char *gda_kind(void)
{
	return NULL;
}

void gda_begin(unsigned int ctx, long options)
{
	(void)ctx, (void)options;
}

void gda_quiet(void)
{
}

int gda_buffer_register(void *p, size_t bytes)
{
	(void)p, (void)bytes;
	return 0;
}

void gda_buffer_unregister(void *p)
{
	(void)p;
}

int gda_error(unsigned int ctx, char *text, size_t bytes)
{
	(void)ctx;
	if (bytes)
		text[0] = '\0';
	return 0;
}

int gda_survey(int local_rank, struct gda_fact *facts, int room, char *why,
	       size_t bytes)
{
	(void)local_rank, (void)facts, (void)room;
	snprintf(why, bytes, "this library was built without rdma-core");
	return -ENOSYS;
}
