/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * api.h in the host pass of a GPU compiler, which reads kernels but makes no
 * code of them: declarations. The thread's routines have theirs already.
 */
#ifndef SHMEM_DEVICE_API_HOST_H
#define SHMEM_DEVICE_API_HOST_H

#define SHMEMD_FN_THREAD(...)
#define SHMEMD_FN_GROUP_(suffix, scope, stem, ret, params, ...) \
	SHMEMI_DEVICE ret shmemx_##stem##_##suffix params;
#define SHMEMD_FN_GROUP(...) SHMEMD_FN_GROUP_(__VA_ARGS__)

#endif
