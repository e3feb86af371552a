/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The C11 generics select the right routine, for every type of every row, with
 * and without a context. Routines are mocks that tell their name.
 */
#include <stdio.h>
#include <string.h>
#include <shmem.h>
#include "mock.h"

#define SELECT_CXX(...)
#define SELECT(ret, verb, ctx, N, T, params, args, ...) \
	static ret via_##ctx##N##_##verb params \
	{ \
		return shmem_##verb args; \
	}
#include "select.inc"
#undef SELECT

static int all(void)
{
	int bad = 0;

#define SELECT(ret, verb, ctx, N, T, params, args, zeros) \
	(void)via_##ctx##N##_##verb zeros; \
	bad += mock_check(#ctx, #N, #verb);
#include "select.inc"
	return bad;
}

#define IS(call, name) \
	((void)(call), strcmp(mock_called, name) ? \
		(printf("line %d: %s\n", __LINE__, mock_called), 1) : 0)

/* How programs write arguments: constants, arrays, expressions, const. */
static int forms(void)
{
	long a[4] = { 0 };
	const long *c = a;
	const float *f = NULL;
	shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
	shmem_team_t team = SHMEM_TEAM_WORLD;
	int bad = 0;

	bad += IS(shmem_put(a, c, 4, 0), "shmem_long_put");
	bad += IS(shmem_put(a + 1, a, sizeof(a), 0), "shmem_long_put");
	bad += IS(shmem_put(ctx, &a[1], a, 1, 0), "shmem_ctx_long_put");
	bad += IS(shmem_p(a, 1, 0), "shmem_long_p");
	bad += IS(shmem_p(SHMEM_CTX_DEFAULT, bad ? a : a + 1, 1, 0),
		  "shmem_ctx_long_p");
	bad += IS(shmem_g(a, 0), "shmem_long_g");
	bad += IS(shmem_g(c, 0), "shmem_long_g");
	bad += IS(shmem_g(ctx, c, 0), "shmem_ctx_long_g");
	bad += IS(shmem_atomic_fetch(f, 0), "shmem_float_atomic_fetch");
	bad += IS(shmem_atomic_fetch((float *)f, 0),
		  "shmem_float_atomic_fetch");
	bad += IS(shmem_fetch(c, 0), "shmem_long_fetch");
	bad += IS(shmem_fetch(a, 0), "shmem_long_fetch");
	bad += IS(shmem_atomic_inc(a, 0), "shmem_long_atomic_inc");
	bad += IS(shmem_wait_until(a, SHMEM_CMP_EQ, 0),
		  "shmem_long_wait_until");
	bad += IS(shmem_wait(a, 1), "shmem_wait");
	bad += IS(shmem_sum_reduce(SHMEM_TEAM_WORLD, a, c, 4),
		  "shmem_long_sum_reduce");
	bad += IS(shmem_broadcast(team, a, c, 4, 0), "shmem_long_broadcast");
	bad += IS(shmem_sync(team), "shmem_team_sync");
	bad += IS(shmem_sync(0, 0, 1, a), "shmem_sync");
	return bad;
}

static int signals(void)
{
	uint64_t s = 0;
	int bad = 0;

	bad += IS(shmem_signal_add(&s, 1, 0), "shmem_signal_add");
	bad += IS(shmem_signal_set(&s, 1, 0), "shmem_signal_set");
	bad += IS(shmem_signal_add(SHMEM_CTX_DEFAULT, &s, 1, 0),
		  "shmem_ctx_signal_add");
	bad += IS(shmem_signal_set(SHMEM_CTX_DEFAULT, &s, 1, 0),
		  "shmem_ctx_signal_set");
	return bad;
}

/* The results have the type of the element. */
_Static_assert(_Generic(shmem_g((float *)0, 0), float: 1, default: 0), "");
_Static_assert(_Generic(shmem_g((char *)0, 0), char: 1, default: 0), "");
_Static_assert(_Generic(shmem_atomic_fetch_add((size_t *)0, 1, 0), size_t: 1,
			default: 0), "");
_Static_assert(_Generic(shmem_test_any((int *)0, 0, 0, 0, 0), size_t: 1,
			default: 0), "");

int main(void)
{
	return all() + forms() + signals() != 0;
}
