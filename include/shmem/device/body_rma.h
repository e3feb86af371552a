/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the rows of setup, context, rma, amo, signal and order do in kernels:
 * api.h tells what a body is.
 */
#include <shmem.h>

#ifndef SHMEM_DEVICE_BODY_RMA_H
#define SHMEM_DEVICE_BODY_RMA_H

#include <shmem/device/amo.h>
#include <shmem/device/ctx.h>
#include <shmem/device/rma.h>
#include <shmem/device/signal.h>

/* Setup. */
#define SHMEMD_BODY_my_pe(...) return shmemd_block.me;
#define SHMEMD_BODY_n_pes(...) return shmemd_block.n_pes;
#define SHMEMD_BODY_pe_accessible(...) \
	return shmemd_pe_near(pe) || shmemd_pe_far(pe);
#define SHMEMD_BODY_addr_accessible(...) \
	return shmemd_addr_accessible(addr, pe);
#define SHMEMD_BODY_ptr(...) return shmemd_ptr(dest, pe);
#define SHMEMD_BODY_team_ptr(...) return shmemd_team_ptr(team, dest, pe);

/* Contexts. */
#define SHMEMD_BODY_ctx_create(...) \
	return shmemd_ctx_create(SHMEM_TEAM_WORLD, options, ctx);
#define SHMEMD_BODY_team_create_ctx(...) \
	return shmemd_ctx_create(team, options, ctx);
#define SHMEMD_BODY_ctx_destroy(s, api, ...) shmemd_ctx_destroy(api, ctx);
#define SHMEMD_BODY_ctx_get_team(s, api, ...) \
	return shmemd_ctx_get_team(api, ctx, team);
#define SHMEMD_BODY_ctx_session_start(s, api, ...) \
	(void)options, (void)config, (void)config_mask; \
	shmemd_ctx_session(api, ctx);
#define SHMEMD_BODY_ctx_session_stop(s, api, ...) shmemd_ctx_session(api, ctx);
#define SHMEMD_BODY_ctx_flush(s, api, ...) shmemd_ctx_flush(s, api, ctx);
#define SHMEMD_BODY_ctx_error(s, api, ...) return shmemd_ctx_error(api, ctx);

/* Puts and gets. */
#define SHMEMD_BODY_put(s, api, ctx, N, T, esize) \
	shmemd_put(s, api, ctx, dest, source, nelems, esize, pe, 0);
#define SHMEMD_BODY_put_nbi(s, api, ctx, N, T, esize) \
	shmemd_put(s, api, ctx, dest, source, nelems, esize, pe, 1);
#define SHMEMD_BODY_get(s, api, ctx, N, T, esize) \
	shmemd_get(s, api, ctx, dest, source, nelems, esize, pe, 0);
#define SHMEMD_BODY_get_nbi(s, api, ctx, N, T, esize) \
	shmemd_get(s, api, ctx, dest, source, nelems, esize, pe, 1);
#define SHMEMD_BODY_iput(s, api, ctx, N, T, esize) \
	shmemd_iput(s, api, ctx, dest, source, \
		    shmemd_strided_of(dst, sst, 1, nelems, esize), pe);
#define SHMEMD_BODY_iget(s, api, ctx, N, T, esize) \
	shmemd_iget(s, api, ctx, dest, source, \
		    shmemd_strided_of(dst, sst, 1, nelems, esize), pe);
#define SHMEMD_BODY_ibput(s, api, ctx, N, T, esize) \
	shmemd_iput(s, api, ctx, dest, source, \
		    shmemd_strided_of(dst, sst, bsize, nblocks, esize), pe);
#define SHMEMD_BODY_ibget(s, api, ctx, N, T, esize) \
	shmemd_iget(s, api, ctx, dest, source, \
		    shmemd_strided_of(dst, sst, bsize, nblocks, esize), pe);
#define SHMEMD_BODY_p(s, api, ctx, N, T, esize) \
	shmemd_p(api, ctx, dest, &value, esize, pe);
#define SHMEMD_BODY_g(s, api, ctx, N, T, esize) \
	T value; \
	shmemd_g(api, ctx, &value, source, esize, pe); \
	return value;

/* Atomics. */
#define SHMEMD_AMO_FETCH(op, target, value, cond, api, ctx, T, esize) \
	T before; \
	shmemd_atomic(api, ctx, op, esize, target, value, cond, &before, pe); \
	return before;
#define SHMEMD_AMO_NBI(op, target, value, cond, api, ctx, esize) \
	shmemd_atomic(api, ctx, op, esize, target, value, cond, fetch, pe);
#define SHMEMD_AMO_VOID(op, value, api, ctx, esize) \
	shmemd_atomic(api, ctx, op, esize, dest, value, NULL, NULL, pe);

#define SHMEMD_BODY_fetch(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_FETCH(SHMEMD_FETCH, source, NULL, NULL, api, ctx, T, esize)
#define SHMEMD_BODY_set(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_VOID(SHMEMD_SET, &value, api, ctx, esize)
#define SHMEMD_BODY_compare_swap(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_FETCH(SHMEMD_CSWAP, dest, &value, &cond, api, ctx, T, esize)
#define SHMEMD_BODY_swap(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_FETCH(SHMEMD_SWAP, dest, &value, NULL, api, ctx, T, esize)
#define SHMEMD_BODY_fetch_inc(s, api, ctx, N, T, esize) \
	const T one = 1; \
	SHMEMD_AMO_FETCH(SHMEMD_ADD, dest, &one, NULL, api, ctx, T, esize)
#define SHMEMD_BODY_inc(s, api, ctx, N, T, esize) \
	const T one = 1; \
	SHMEMD_AMO_VOID(SHMEMD_ADD, &one, api, ctx, esize)
#define SHMEMD_BODY_fetch_add(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_FETCH(SHMEMD_ADD, dest, &value, NULL, api, ctx, T, esize)
#define SHMEMD_BODY_add(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_VOID(SHMEMD_ADD, &value, api, ctx, esize)
#define SHMEMD_BODY_fetch_and(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_FETCH(SHMEMD_AND, dest, &value, NULL, api, ctx, T, esize)
#define SHMEMD_BODY_and(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_VOID(SHMEMD_AND, &value, api, ctx, esize)
#define SHMEMD_BODY_fetch_or(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_FETCH(SHMEMD_OR, dest, &value, NULL, api, ctx, T, esize)
#define SHMEMD_BODY_or(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_VOID(SHMEMD_OR, &value, api, ctx, esize)
#define SHMEMD_BODY_fetch_xor(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_FETCH(SHMEMD_XOR, dest, &value, NULL, api, ctx, T, esize)
#define SHMEMD_BODY_xor(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_VOID(SHMEMD_XOR, &value, api, ctx, esize)

#define SHMEMD_BODY_fetch_nbi(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_NBI(SHMEMD_FETCH, source, NULL, NULL, api, ctx, esize)
#define SHMEMD_BODY_compare_swap_nbi(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_NBI(SHMEMD_CSWAP, dest, &value, &cond, api, ctx, esize)
#define SHMEMD_BODY_swap_nbi(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_NBI(SHMEMD_SWAP, dest, &value, NULL, api, ctx, esize)
#define SHMEMD_BODY_fetch_inc_nbi(s, api, ctx, N, T, esize) \
	const T one = 1; \
	SHMEMD_AMO_NBI(SHMEMD_ADD, dest, &one, NULL, api, ctx, esize)
#define SHMEMD_BODY_fetch_add_nbi(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_NBI(SHMEMD_ADD, dest, &value, NULL, api, ctx, esize)
#define SHMEMD_BODY_fetch_and_nbi(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_NBI(SHMEMD_AND, dest, &value, NULL, api, ctx, esize)
#define SHMEMD_BODY_fetch_or_nbi(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_NBI(SHMEMD_OR, dest, &value, NULL, api, ctx, esize)
#define SHMEMD_BODY_fetch_xor_nbi(s, api, ctx, N, T, esize) \
	SHMEMD_AMO_NBI(SHMEMD_XOR, dest, &value, NULL, api, ctx, esize)

/* Signals; signal_wait_until is among the waits. */
#define SHMEMD_BODY_put_signal(s, api, ctx, N, T, esize) \
	shmemd_put_signal(s, api, ctx, dest, source, nelems, esize, sig_addr, \
			  signal, sig_op, pe, 0);
#define SHMEMD_BODY_put_signal_nbi(s, api, ctx, N, T, esize) \
	shmemd_put_signal(s, api, ctx, dest, source, nelems, esize, sig_addr, \
			  signal, sig_op, pe, 1);
#define SHMEMD_BODY_signal_add(s, api, ctx, ...) \
	shmemd_signal(api, ctx, sig_addr, signal, SHMEM_SIGNAL_ADD, pe);
#define SHMEMD_BODY_signal_set(s, api, ctx, ...) \
	shmemd_signal(api, ctx, sig_addr, signal, SHMEM_SIGNAL_SET, pe);
#define SHMEMD_BODY_signal_fetch(...) return shmemd_signal_fetch(sig_addr);

/* Order. */
#define SHMEMD_BODY_fence(s, api, ctx, ...) shmemd_ctx_fence(s, api, ctx);
#define SHMEMD_BODY_quiet(s, api, ctx, ...) shmemd_ctx_quiet(s, api, ctx);
#define SHMEMD_BODY_pe_quiet(s, api, ctx, ...) \
	shmemd_ctx_pe_quiet(s, api, ctx, target_pes, npes);

#endif
