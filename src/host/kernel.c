/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/log.h"
#include "gpu/gpu.h"
#include "host/check.h"
#include "host/device.h"
#include "host/module.h"

#pragma GCC visibility push(default)
#include <shmem/platform.h>
#include <shmem/runtime.h>
#pragma GCC visibility pop

#define SAME_PLACE(member) \
	_Static_assert(offsetof(struct shmemx_kernel, member) == \
			       offsetof(struct shmemg_kernel, member), \
		       "a platform takes the program's kernels as its own")
SAME_PLACE(name);
SAME_PLACE(cpu);
SAME_PLACE(gpu);

static void enter(const char *api)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	shmemi_modules_retry();
}

const char *shmemx_platform(void)
{
	enter(__func__);
	return shmemg->name;
}

static int check_kernel(const char *api, const struct shmemx_kernel *kernel)
{
	const char *platform = kernel->runtime->platform;

	if (!strcmp(platform, shmemg->name))
		return 0;
	shmemi_log_error("%s: kernel %s was compiled for platform %s, but this "
			 "process runs on %s",
			 api, kernel->name, platform, shmemg->name);
	return -EINVAL;
}

/* A GPU's kernel belongs to the runtime of its unit, not to the library's. */
static int by_runtime(const char *api, const struct shmemx_kernel *kernel,
		      int error)
{
	if (!error)
		return 0;
	shmemi_log_error("%s: kernel %s: %s", api, kernel->name,
			 kernel->runtime->text(error));
	return -EIO;
}

int shmemx_launch(const struct shmemx_kernel *kernel, int n_wgs, int n_items,
		  const void *args, size_t bytes, shmemx_stream_t stream)
{
	int rc;

	enter(__func__);
	rc = check_kernel(__func__, kernel);
	if (rc)
		return rc;
	if (n_wgs < 1 || n_items < 1 || n_items > shmemg_device.max_wg_items) {
		shmemi_log_error(
			"%s: kernel %s: %d work-groups of %d, expected "
			"at least 1 of 1 to %d work-items",
			__func__, kernel->name, n_wgs, n_items,
			shmemg_device.max_wg_items);
		return -EINVAL;
	}
	if (kernel->runtime->launch)
		return by_runtime(
			__func__, kernel,
			kernel->runtime->launch(shmemg_device.device, kernel,
						n_wgs, n_items, args, stream));
	return shmemg->launch((const struct shmemg_kernel *)kernel, n_wgs,
			      n_items, args, bytes, stream);
}

int shmemx_max_wgs(const struct shmemx_kernel *kernel, int n_items, int *n_wgs)
{
	int rc;

	enter(__func__);
	rc = check_kernel(__func__, kernel);
	if (rc)
		return rc;
	if (kernel->runtime->max_wgs)
		return by_runtime(
			__func__, kernel,
			kernel->runtime->max_wgs(kernel, n_items, n_wgs));
	return shmemg->max_wgs((const struct shmemg_kernel *)kernel, n_items,
			       n_wgs);
}

int shmemx_stream_create(shmemx_stream_t *new_stream)
{
	enter(__func__);
	return shmemg->stream_create(new_stream);
}

/* What kernels on it did wrong is told here, as the program waits anyway. */
static int wait_for(shmemx_stream_t stream)
{
	int rc = shmemg->stream_sync(stream);

	shmemi_device_error_check();
	return rc;
}

int shmemx_stream_destroy(shmemx_stream_t stream)
{
	int rc;

	enter(__func__);
	rc = wait_for(stream);
	if (!rc)
		rc = shmemg->stream_destroy(stream);
	return rc;
}

int shmemx_stream_synchronize(shmemx_stream_t stream)
{
	enter(__func__);
	return wait_for(stream);
}

int shmemx_stream_query(shmemx_stream_t stream)
{
	enter(__func__);
	return shmemg->stream_query(stream);
}

int shmemx_capture_begin(shmemx_stream_t stream)
{
	enter(__func__);
	return shmemg->capture_begin(stream);
}

int shmemx_capture_end(shmemx_stream_t stream, shmemx_graph_t *new_graph)
{
	enter(__func__);
	return shmemg->capture_end(stream, new_graph);
}

int shmemx_graph_launch(shmemx_graph_t graph, shmemx_stream_t stream)
{
	enter(__func__);
	return shmemg->graph_launch(graph, stream);
}

int shmemx_graph_destroy(shmemx_graph_t graph)
{
	enter(__func__);
	return shmemg->graph_destroy(graph);
}

void *shmemx_device_alloc(size_t bytes)
{
	void *p;

	enter(__func__);
	return shmemg->mem_alloc(bytes, &p) ? NULL : p;
}

void shmemx_device_free(void *ptr)
{
	enter(__func__);
	if (ptr)
		shmemg->mem_free(ptr);
}

int shmemx_memcpy(void *dest, const void *source, size_t bytes)
{
	enter(__func__);
	return bytes ? shmemg->copy(dest, source, bytes) : 0;
}

int shmemx_memset(void *dest, int byte, size_t bytes)
{
	enter(__func__);
	return bytes ? shmemg->fill(dest, byte, bytes) : 0;
}
