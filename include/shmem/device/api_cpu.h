/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * api.h on the CPU: definitions. Outside of kernels the thread's routines are
 * the library's, so that a tool's are found; they are never emitted, only
 * inlined. A group outside of a kernel is one work-item.
 */
#ifndef SHMEM_DEVICE_API_CPU_H
#define SHMEM_DEVICE_API_CPU_H

/*
 * In what follows, to the end of api.h, void routines return what a void one
 * returned, and inline functions with outer linkage call static ones.
 */
#pragma GCC system_header
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wstatic-in-inline"
#endif

/* clang drops an inline function that it sees to call its own name. */
#ifdef __clang__
#define SHMEMD_OPAQUE(pointer) __asm__("" : "+r"(pointer))
#else
#define SHMEMD_OPAQUE(pointer) (void)(pointer)
#endif

#define SHMEMD_EXPAND(m, ...) m(__VA_ARGS__)

#define SHMEMD_FN_THREAD_(prefix, stem, ret, params, ctx, N, T, esize, body, \
			  args) \
	SHMEMD_FN ret shmemd_thread_##stem params \
	{ \
		SHMEMD_EXPAND(SHMEMD_BODY_##body, SHMEMD_THREAD, \
			      #prefix #stem, ctx, N, T, esize) \
	} \
	extern ret shmemd_host_##stem params __asm__(#prefix #stem); \
	extern inline __attribute__((gnu_inline, always_inline)) ret \
		(prefix##stem) params \
	{ \
		ret(*host) params = shmemd_host_##stem; \
		if (shmemd_in_kernel()) \
			return shmemd_thread_##stem args; \
		SHMEMD_OPAQUE(host); \
		return host args; \
	}
#define SHMEMD_FN_THREAD(...) SHMEMD_FN_THREAD_(__VA_ARGS__)
#define SHMEMD_FN_GROUP_(suffix, scope, stem, ret, params, ctx, N, T, esize, \
			 body, args) \
	SHMEMD_FN ret shmemx_##stem##_##suffix params \
	{ \
		SHMEMD_EXPAND(SHMEMD_BODY_##body, scope, \
			      "shmemx_" #stem "_" #suffix, ctx, N, T, esize) \
	}
#define SHMEMD_FN_GROUP(...) SHMEMD_FN_GROUP_(__VA_ARGS__)

#endif
