/* SPDX-License-Identifier: BSD-3-Clause */
/* api.h in the device pass of a GPU compiler: definitions. */
#ifndef SHMEM_DEVICE_API_GPU_H
#define SHMEM_DEVICE_API_GPU_H

#define SHMEMD_EXPAND(m, ...) m(__VA_ARGS__)

#define SHMEMD_FN_THREAD_(prefix, stem, ret, params, ctx, N, T, esize, body, \
			  args) \
	SHMEMI_HD inline __attribute__((always_inline)) ret \
		prefix##stem params \
	{ \
		SHMEMD_EXPAND(SHMEMD_BODY_##body, SHMEMD_THREAD, \
			      #prefix #stem, ctx, N, T, esize) \
	}
#define SHMEMD_FN_THREAD(...) SHMEMD_FN_THREAD_(__VA_ARGS__)
#define SHMEMD_FN_GROUP_(suffix, scope, stem, ret, params, ctx, N, T, esize, \
			 body, args) \
	SHMEMI_DEVICE inline __attribute__((always_inline)) ret \
		shmemx_##stem##_##suffix params \
	{ \
		SHMEMD_EXPAND(SHMEMD_BODY_##body, scope, \
			      "shmemx_" #stem "_" #suffix, ctx, N, T, esize) \
	}
#define SHMEMD_FN_GROUP(...) SHMEMD_FN_GROUP_(__VA_ARGS__)

#endif
