/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of the tables for kernels: the routines that one work-item calls have
 * the host's names, those that a wave, a work-group or a grid calls together
 * end in _wave, _wg and _grid. thread.def, group.def and collective.def tell
 * which there are.
 *
 * Each is one line: SHMEMD_BODY_<body>(scope, api, ctx, N, T, esize) of
 * body_rma.h and body_coll.h, statements that see the routine's parameters by
 * name and return its result. scope is a compile-time enum shmemd_scope, api
 * the routine's name, ctx the context that it works on, N the TYPENAME, T the
 * element type (mem and void in the forms sized in bits and bytes), esize the
 * element's size in bytes. Rows that the tables hold as PLAIN have their stem
 * as body, without ctx_ in fence, quiet, pe_quiet, signal_add and signal_set.
 *
 * Included once, by shmem.h for GPU compilers and by device.h for the others.
 */
#include <shmem.h>

#ifndef SHMEM_DEVICE_API_H
#define SHMEM_DEVICE_API_H

#include <shmem/device/module.h>
#include <shmem/network.h>

/* Device passes and the CPU define; the host pass for a GPU declares. */
#if defined(SHMEMI_DEVICE_PASS)
#include <shmem/device/body_rma.h>
#include <shmem/device/body_coll.h>
#include <shmem/device/api_gpu.h>
#elif defined(__CUDACC__) || defined(__HIP__)
#include <shmem/device/api_host.h>
#else
#include <shmem/device/body_rma.h>
#include <shmem/device/body_coll.h>
#include <shmem/device/api_cpu.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels don't have these types. */
#undef SHMEMI_HOST_TYPES
#define SHMEMI_HOST_TYPES(...)

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_FN(...) SHMEMD_FN_THREAD(shmem_, __VA_ARGS__)
#define SHMEMI_TABLES <shmem/device/thread.def>
#include <shmem/expand.h>

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_FN(...) SHMEMD_FN_THREAD(shmemx_, __VA_ARGS__)
#define SHMEMI_TABLES <shmem/device/network.def>
#include <shmem/expand.h>

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_TYPED_CTX(verb, SHAPE, CLASS, body)
#define SHMEMI_FN(...) \
	SHMEMD_FN_GROUP(wave, SHMEMD_WAVE, __VA_ARGS__) \
	SHMEMD_FN_GROUP(wg, SHMEMD_WG, __VA_ARGS__)
#define SHMEMI_TABLES <shmem/device/groups.def>
#include <shmem/expand.h>

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_FN(...) \
	SHMEMD_FN_GROUP(wave, SHMEMD_WAVE, __VA_ARGS__) \
	SHMEMD_FN_GROUP(wg, SHMEMD_WG, __VA_ARGS__) \
	SHMEMD_FN_GROUP(grid, SHMEMD_GRID, __VA_ARGS__)
#define SHMEMI_TABLES <shmem/device/collective.def>
#include <shmem/expand.h>

#undef SHMEMI_HOST_TYPES
#define SHMEMI_HOST_TYPES(...) __VA_ARGS__

#ifdef __cplusplus
}
#endif

#ifdef SHMEM_DEVICE_API_CPU_H
#pragma GCC diagnostic pop
#endif

#endif
