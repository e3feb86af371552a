/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What bench.c needs of a library. lib_sirocco.h, lib_nvshmem.h, lib_nccl.h and
 * lib_bare.h give it the same names, so that one program measures the library,
 * its peers and what kernels without a library reach.
 *
 * Host:
 *	lib_open(argc, argv)	after it lib_me and lib_n_pes
 *	lib_alloc(bytes)	symmetric, zero
 *	lib_barrier()		all PEs, and what their kernels did
 *	lib_launch(KERNEL_REF(name), n_wgs, n_items, args)	0 or not
 *	lib_reset()		before a launch whose iterations count from 1
 *	lib_start(), lib_stop()	seconds between, for what is on the stream
 *	lib_to_host(dst, src, bytes), lib_to_device(dst, src, bytes)
 *	lib_alltoall_on_stream(dst, src, bytes)		if LIB_ON_STREAM
 *	lib_barrier_on_stream()				if it is defined
 *	lib_n_gpus()		that PEs take in turn
 *	lib_close()
 * Kernels, unless LIB_NO_KERNELS: KERNEL(name) { ... a->member ... }:
 *	lib_item() lib_nitems() lib_wg() lib_nwgs()
 *	lib_p(dst, value, pe), lib_wait(ivar, value)	one work-item
 *	lib_word_signal(dst, src, sig, value, pe), lib_word_wait(sig, value)
 *							one work-item
 *	lib_fetch_add(dst, value, pe)			every work-item
 *	lib_put_signal(dst, src, bytes, sig, value, pe), lib_signal_wait(sig,
 *	value), lib_put(dst, src, bytes, pe), lib_quiet(), lib_barrier_wg(),
 *	lib_alltoall(dst, src, bytes)			a work-group
 *	lib_alltoall_grid(dst, src, bytes)		the grid, if LIB_GRID
 */
#ifndef PERF_GPU_LIB_H
#define PERF_GPU_LIB_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench_args {
	char *dst, *src;
	uint64_t *sig;
	size_t bytes;
	long from; /* iterations so far: values of flags only rise */
	int iters;
	int me, n_pes;
};

#if defined(BENCH_NVSHMEM)
#include "lib_nvshmem.h"
#elif defined(BENCH_NCCL)
#include "lib_nccl.h"
#elif defined(BENCH_BARE)
#include "lib_bare.h"
#else
#include "lib_sirocco.h"
#endif

#endif
