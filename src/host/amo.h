/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the atomic rows, for the files that define them. */
#ifndef SHMEMI_AMO_H
#define SHMEMI_AMO_H

#include "host/rma.h"

#define SHMEMI_AMO_FETCH(op, target, value, cond, ctx, T, esize) \
	T old; \
	shmemi_amo(__func__, ctx, op, esize, #target, target, value, cond, \
		   &old, pe); \
	return old;
#define SHMEMI_AMO_NBI(op, target, value, cond, ctx, esize) \
	shmemi_amo_nbi(__func__, ctx, op, esize, #target, target, value, cond, \
		       fetch, pe);
#define SHMEMI_AMO_VOID(op, value, ctx, esize) \
	shmemi_amo(__func__, ctx, op, esize, "dest", dest, value, NULL, NULL, \
		   pe);
#define SHMEMI_ONE(T) (&(const T){ 1 })

#define SHMEMI_BODY_fetch(ctx, N, T, esize) \
	SHMEMI_AMO_FETCH(CONDUIT_FETCH, source, NULL, NULL, ctx, T, esize)
#define SHMEMI_BODY_set(ctx, N, T, esize) \
	SHMEMI_AMO_VOID(CONDUIT_SET, &value, ctx, esize)
#define SHMEMI_BODY_compare_swap(ctx, N, T, esize) \
	SHMEMI_AMO_FETCH(CONDUIT_CSWAP, dest, &value, &cond, ctx, T, esize)
#define SHMEMI_BODY_swap(ctx, N, T, esize) \
	SHMEMI_AMO_FETCH(CONDUIT_SWAP, dest, &value, NULL, ctx, T, esize)
#define SHMEMI_BODY_fetch_inc(ctx, N, T, esize) \
	SHMEMI_AMO_FETCH(CONDUIT_ADD, dest, SHMEMI_ONE(T), NULL, ctx, T, esize)
#define SHMEMI_BODY_inc(ctx, N, T, esize) \
	SHMEMI_AMO_VOID(CONDUIT_ADD, SHMEMI_ONE(T), ctx, esize)
#define SHMEMI_BODY_fetch_add(ctx, N, T, esize) \
	SHMEMI_AMO_FETCH(CONDUIT_ADD, dest, &value, NULL, ctx, T, esize)
#define SHMEMI_BODY_add(ctx, N, T, esize) \
	SHMEMI_AMO_VOID(CONDUIT_ADD, &value, ctx, esize)
#define SHMEMI_BODY_fetch_and(ctx, N, T, esize) \
	SHMEMI_AMO_FETCH(CONDUIT_AND, dest, &value, NULL, ctx, T, esize)
#define SHMEMI_BODY_and(ctx, N, T, esize) \
	SHMEMI_AMO_VOID(CONDUIT_AND, &value, ctx, esize)
#define SHMEMI_BODY_fetch_or(ctx, N, T, esize) \
	SHMEMI_AMO_FETCH(CONDUIT_OR, dest, &value, NULL, ctx, T, esize)
#define SHMEMI_BODY_or(ctx, N, T, esize) \
	SHMEMI_AMO_VOID(CONDUIT_OR, &value, ctx, esize)
#define SHMEMI_BODY_fetch_xor(ctx, N, T, esize) \
	SHMEMI_AMO_FETCH(CONDUIT_XOR, dest, &value, NULL, ctx, T, esize)
#define SHMEMI_BODY_xor(ctx, N, T, esize) \
	SHMEMI_AMO_VOID(CONDUIT_XOR, &value, ctx, esize)

#define SHMEMI_BODY_fetch_nbi(ctx, N, T, esize) \
	SHMEMI_AMO_NBI(CONDUIT_FETCH, source, NULL, NULL, ctx, esize)
#define SHMEMI_BODY_compare_swap_nbi(ctx, N, T, esize) \
	SHMEMI_AMO_NBI(CONDUIT_CSWAP, dest, &value, &cond, ctx, esize)
#define SHMEMI_BODY_swap_nbi(ctx, N, T, esize) \
	SHMEMI_AMO_NBI(CONDUIT_SWAP, dest, &value, NULL, ctx, esize)
#define SHMEMI_BODY_fetch_inc_nbi(ctx, N, T, esize) \
	SHMEMI_AMO_NBI(CONDUIT_ADD, dest, SHMEMI_ONE(T), NULL, ctx, esize)
#define SHMEMI_BODY_fetch_add_nbi(ctx, N, T, esize) \
	SHMEMI_AMO_NBI(CONDUIT_ADD, dest, &value, NULL, ctx, esize)
#define SHMEMI_BODY_fetch_and_nbi(ctx, N, T, esize) \
	SHMEMI_AMO_NBI(CONDUIT_AND, dest, &value, NULL, ctx, esize)
#define SHMEMI_BODY_fetch_or_nbi(ctx, N, T, esize) \
	SHMEMI_AMO_NBI(CONDUIT_OR, dest, &value, NULL, ctx, esize)
#define SHMEMI_BODY_fetch_xor_nbi(ctx, N, T, esize) \
	SHMEMI_AMO_NBI(CONDUIT_XOR, dest, &value, NULL, ctx, esize)

#endif
