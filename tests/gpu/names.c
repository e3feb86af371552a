/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints the names of all routines that kernels have: the views of
 * <shmem/device/api.h> again, for coverage.sh.
 */
#include <stdio.h>
#include <shmem.h>

#undef SHMEMI_HOST_TYPES
#define SHMEMI_HOST_TYPES(...)
#define THREAD(stem, ...) puts("shmem_" #stem);
#define EXTENSION(stem, ...) puts("shmemx_" #stem);
#define GROUP(stem, ...) \
	puts("shmemx_" #stem "_wave"); \
	puts("shmemx_" #stem "_wg");
#define GRID(stem, ...) \
	GROUP(stem) \
	puts("shmemx_" #stem "_grid");

int main(void)
{
#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_FN THREAD
#define SHMEMI_TABLES <shmem/device/thread.def>
#include <shmem/expand.h>

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_FN EXTENSION
#define SHMEMI_TABLES <shmem/device/network.def>
#include <shmem/expand.h>

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_TYPED_CTX(verb, SHAPE, CLASS, body)
#define SHMEMI_FN GROUP
#define SHMEMI_TABLES <shmem/device/groups.def>
#include <shmem/expand.h>

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_FN GRID
#define SHMEMI_TABLES <shmem/device/collective.def>
#include <shmem/expand.h>
	return 0;
}
