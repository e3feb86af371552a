/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a routine can be called: on the host, in kernels, or both. Only GPU
 * compilers are told.
 */
#ifndef SHMEM_WHERE_H
#define SHMEM_WHERE_H

#if defined(__CUDACC__) || defined(__HIP__)
#define SHMEMI_HD __attribute__((host)) __attribute__((device))
#define SHMEMI_DEVICE __attribute__((device))
#else
#define SHMEMI_HD
#define SHMEMI_DEVICE
#endif

/* The pass that makes code for a GPU. */
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define SHMEMI_DEVICE_PASS 1
#endif

#define SHMEMI_THIRD(...) SHMEMI_THIRD_(__VA_ARGS__, , , )
#define SHMEMI_THIRD_(a, b, c, ...) c

/* SHMEMI_HD for a TYPENAME that kernels have; a comma more and it is gone. */
#define SHMEMI_WHERE(N) SHMEMI_THIRD(SHMEMI_ONLY_HOST_##N, , SHMEMI_HD)
#define SHMEMI_ONLY_HOST_longdouble ,
#define SHMEMI_ONLY_HOST_complexd ,
#define SHMEMI_ONLY_HOST_complexf ,

/* SHMEMI_HD for a PLAIN row of a table whose other rows kernels lack. */
#define SHMEMI_WHERE_PLAIN(name) SHMEMI_THIRD(SHMEMI_ALSO_##name, SHMEMI_HD)
#define SHMEMI_ALSO_shmem_my_pe ,
#define SHMEMI_ALSO_shmem_n_pes ,
#define SHMEMI_ALSO_shmem_pe_accessible ,
#define SHMEMI_ALSO_shmem_addr_accessible ,
#define SHMEMI_ALSO_shmem_ptr ,
#define SHMEMI_ALSO_shmem_team_ptr ,
#define SHMEMI_ALSO_shmem_team_my_pe ,
#define SHMEMI_ALSO_shmem_team_n_pes ,
#define SHMEMI_ALSO_shmem_team_translate_pe ,
#define SHMEMI_ALSO_shmemx_ctx_flush ,
#define SHMEMI_ALSO_shmemx_ctx_error ,

#endif
