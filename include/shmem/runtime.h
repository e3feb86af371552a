/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a translation unit with kernels brings for the library: its block, and
 * the GPU runtime with which it was linked. Made by <shmem/device.h>; programs
 * have no use for it.
 */
#ifndef SHMEM_RUNTIME_H
#define SHMEM_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

struct shmemx_kernel;

/*
 * The unit's runtime; numbers are its errors, 0 is none.
 *
 * platform  "cpu", "cuda" or "hip": for what the unit was compiled
 * set       writes bytes bytes of block to the unit's block
 * launch    a GPU's kernel, args by value; NULL on cpu
 *           device, of both: the GPU, whichever is the thread's current one
 * max_wgs   work-groups of n_items of a GPU's kernel that fit at once; NULL on
 *           cpu
 * text      what a number means; NULL on cpu
 */
struct shmemx_runtime {
	const char *platform;
	int (*set)(int device, const void *block, size_t bytes);
	int (*launch)(int device, const struct shmemx_kernel *kernel, int n_wgs,
		      int n_items, const void *args, void *stream);
	int (*max_wgs)(const struct shmemx_kernel *kernel, int n_items,
		       int *n_wgs);
	const char *(*text)(int error);
};

/* A kernel: static, of SHMEMX_KERNEL. Starts as the library's own do. */
struct shmemx_kernel {
	const char *name;
	void (*cpu)(const void *args);
	const void *gpu;
	const struct shmemx_runtime *runtime;
};

/*
 * A unit, in static storage.
 *
 * next     the library's
 * layout   SHMEMD_LAYOUT of the headers with which it was compiled
 * filled   the library's: its block holds what it should
 */
struct shmemx_module {
	struct shmemx_module *next;
	const struct shmemx_runtime *runtime;
	uint32_t layout;
	uint32_t filled;
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Called by constructors and destructors of the unit, at any time and on any
 * thread: the unit's block is filled now or at init, and emptied at finalize.
 * A unit of another layout is named in a line, and its block stays empty.
 */
void shmemx_module_register(struct shmemx_module *module);
void shmemx_module_unregister(struct shmemx_module *module);

#ifdef __cplusplus
}
#endif

#endif
