/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The platform of AMD's and NVIDIA's GPUs, by the names of HIP's runtime. One
 * of the two headers below gives those names and what differs:
 *
 * HIP_WORD              the platform's name
 * HIP_MEMORY_KINDS(K)   K(name, flag), the most coherent kind first
 * HIP_MEMORY_TESTED     whether kinds are tried: 0 where all memory is coherent
 * hip_malloc_kind()     device memory of a kind
 * hip_is_device_kind()  whether the host may not load what attributes tell of
 */
#ifndef SHMEMG_HIP_H
#define SHMEMG_HIP_H

#include "gpu/gpu.h"

#ifdef SIROCCO_GPU_CUDA
#include "gpu/hip/cuda_map.h"
#else
#include "gpu/hip/amd_map.h"
#endif

/* The open device. */
struct hip_device {
	int index;
	hipStream_t copies;    /* of copy and fill, apart from all others */
	unsigned int kind;     /* flag of hip_malloc_kind() */
	struct shmemg_info info;
};
extern struct hip_device hip_device;

/* The rows of the platform's table: hip_mem_alloc() and so on. */
#define HIP_ROW(name, params) int hip_##name params;
SHMEMG_OPS(HIP_ROW)
#undef HIP_ROW

/* The errno of a runtime's error, negative; nothing is logged. */
int hip_errno(hipError_t err);

/*
 * 0 for hipSuccess. Else logs what failed and the runtime's reason in one line,
 * takes the error from the runtime's memory, and returns its errno.
 */
int hip_check(hipError_t err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * A runtime has a current device in each thread. Calls that depend on it stand
 * between these; hip_leave() takes what hip_enter() gave.
 */
int hip_enter(void);
void hip_leave(int was);

/*
 * Finds the first kind of memory that is coherent, and names it in
 * hip_device. -ENOTSUP if none is; each that is not is logged.
 */
int hip_choose_memory(void);

/*
 * 0: memory at p, of a page and more, passes messages between running
 * kernels, and between kernels and the host. 1: it does not; *why tells which.
 * HIP_SELFTEST_ONE_BY_ONE: kernels and copies don't run at the same time here,
 * for a debugger or by a setting of the runtime, so nothing is known.
 * Negative errno, logged: it can't be tried.
 */
#define HIP_SELFTEST_ONE_BY_ONE 2
int hip_selftest(uint64_t *p, const char **why);

/*
 * Addresses that the runtime knows by another: the start of an allocation in
 * which p lies. base_of: p itself if none was noted.
 */
int hip_base_note(void *p, void *base);
void *hip_base_of(const void *p);
void hip_base_forget(const void *p);

#endif
