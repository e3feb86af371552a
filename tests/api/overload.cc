/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The C++ overloads select the right routine, for every type of every row, with
 * and without a context. Routines are mocks that tell their name.
 */
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <shmem.h>
#include "mock.h"

#define SELECT(ret, verb, ctx, N, T, params, args, ...) \
	static ret via_##ctx##N##_##verb params \
	{ \
		return shmem_##verb args; \
	}
#define SELECT_CXX SELECT
#include "select.inc"
#undef SELECT

static int all()
{
	int bad = 0;

#define SELECT(ret, verb, ctx, N, T, params, args, zeros) \
	(void)via_##ctx##N##_##verb zeros; \
	bad += mock_check(#ctx, #N, #verb);
#include "select.inc"
	return bad;
}

#define IS(call, name) \
	((void)(call), std::strcmp(mock_called, name) ? \
		(std::printf("line %d: %s\n", __LINE__, mock_called), 1) : 0)

static int forms()
{
	long a[4] = {};
	const long *c = a;
	std::complex<float> cf[2];
	std::complex<double> cd[2];
	uint64_t s = 0;
	const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
	const shmem_team_t team = SHMEM_TEAM_WORLD;
	int bad = 0;

	bad += IS(shmem_put(a, c, 4, 0), "shmem_long_put");
	bad += IS(shmem_put(ctx, a + 1, a, 1, 0), "shmem_ctx_long_put");
	bad += IS(shmem_p(a, 1, 0), "shmem_long_p");
	bad += IS(shmem_g(a, 0), "shmem_long_g");
	bad += IS(shmem_g(ctx, c, 0), "shmem_ctx_long_g");
	bad += IS(shmem_wait(a, 1), "shmem_long_wait");
	bad += IS(shmem_wait_until(a, SHMEM_CMP_EQ, 0),
		  "shmem_long_wait_until");
	bad += IS(shmem_sum_reduce(team, cf, cf, 2),
		  "shmem_complexf_sum_reduce");
	bad += IS(shmem_prod_reduce(team, cd, cd, 2),
		  "shmem_complexd_prod_reduce");
	bad += IS(shmem_complexf_sum_to_all(cf, cf, 2, 0, 0, 1, cf, a),
		  "shmem_complexf_sum_to_all");
	bad += IS(shmem_complexd_prod_to_all(cd, cd, 2, 0, 0, 1, cd, a),
		  "shmem_complexd_prod_to_all");
	bad += IS(shmem_sync(team), "shmem_team_sync");
	bad += IS(shmem_sync(0, 0, 1, a), "shmem_sync");
	bad += IS(shmem_signal_add(&s, 1, 0), "shmem_signal_add");
	bad += IS(shmem_signal_add(ctx, &s, 1, 0), "shmem_ctx_signal_add");
	bad += IS(shmem_signal_set(&s, 1, 0), "shmem_signal_set");
	bad += IS(shmem_signal_set(ctx, &s, 1, 0), "shmem_ctx_signal_set");
	return bad;
}

template <class A, class B> constexpr bool same = std::is_same<A, B>::value;
static_assert(same<decltype(shmem_g((float *)0, 0)), float>, "");
static_assert(same<decltype(shmem_test_any((int *)0, 0, 0, 0, 0)), size_t>, "");

int main()
{
	return all() + forms() != 0;
}
