/* SPDX-License-Identifier: BSD-3-Clause */
/* For the tests of the cpu platform's rows. */
#ifndef TESTS_GPU_PLATFORM_H
#define TESTS_GPU_PLATFORM_H

#include <stdio.h>
#include <stdlib.h>

#include "gpu/gpu.h"

#define CHECK(what) check(!!(what), #what, __FILE__, __LINE__)

static inline void check(int ok, const char *what, const char *file, int line)
{
	if (ok)
		return;
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
	exit(1);
}

static inline void platform_open(void)
{
	CHECK(!shmemg_open("cpu", -1, 3));
	CHECK(shmemg == &shmemg_cpu && shmemg_device.host_access);
}

static inline void kernel_run(void (*body)(const void *), int n_wgs,
			      int n_items, const void *args, size_t bytes)
{
	const struct shmemg_kernel kernel = { "test", body, NULL };

	CHECK(!shmemg->launch(&kernel, n_wgs, n_items, args, bytes, NULL));
	CHECK(!shmemg->stream_sync(NULL));
}

#endif
