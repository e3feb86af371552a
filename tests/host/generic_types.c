/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The generic names choose by type: plain, signed and unsigned char are three
 * types, long and long long two; with a context and without; reductions of
 * each sign correctly what is negative.
 * PES: 1 2 3
 */
#include "check.h"

static int me, n, next, previous;

#define GENERIC(T, name) \
	static void generic_##name(T low, T high) \
	{ \
		static T object, many[10], out[10]; \
		shmem_ctx_t ctx = SHMEM_CTX_DEFAULT; \
		T pair[2] = { low, high }; \
		shmem_p(&object, high, next); \
		shmem_barrier_all(); \
		CHECK(object == high); \
		CHECK(shmem_g(&object, next) == high); \
		shmem_put(ctx, many, pair, 2, next); \
		shmem_barrier_all(); \
		CHECK(many[0] == low && many[1] == high); \
		shmem_get(ctx, pair, many, 2, previous); \
		CHECK(pair[0] == low && pair[1] == high); \
		shmem_iput(many, pair, 5, 1, 2, next); \
		shmem_barrier_all(); \
		CHECK(many[5] == high); \
		many[0] = me ? high : low; \
		shmem_max_reduce(SHMEM_TEAM_WORLD, out, many, 1); \
		CHECK(out[0] == (n > 1 ? high : low)); \
		shmem_barrier_all(); \
		shmem_min_reduce(SHMEM_TEAM_WORLD, out, many, 1); \
		CHECK(out[0] == low); \
		shmem_barrier_all(); \
	}

GENERIC(char, char)
GENERIC(signed char, schar)
GENERIC(unsigned char, uchar)
GENERIC(short, short)
GENERIC(unsigned short, ushort)
GENERIC(int, int)
GENERIC(unsigned int, uint)
GENERIC(long, long)
GENERIC(unsigned long, ulong)
GENERIC(long long, longlong)
GENERIC(unsigned long long, ulonglong)
GENERIC(float, float)
GENERIC(double, double)
GENERIC(long double, longdouble)

int main(void)
{
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	next = (me + 1) % n;
	previous = (me + n - 1) % n;
	generic_char('a', 'b');
	generic_schar(-128, 127);
	generic_uchar(0, 255);
	generic_short(INT16_MIN, INT16_MAX);
	generic_ushort(0, UINT16_MAX);
	generic_int(INT32_MIN, INT32_MAX);
	generic_uint(0, UINT32_MAX);
	generic_long(INT64_MIN, INT64_MAX);
	generic_ulong(0, UINT64_MAX);
	generic_longlong(INT64_MIN, INT64_MAX);
	generic_ulonglong(0, UINT64_MAX);
	generic_float(-1e30f, 1e30f);
	generic_double(-1e300, 1e300);
	generic_longdouble(-1e4000L, 1e4000L);
	return check_end();
}
