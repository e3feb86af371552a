/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each comparison, signed and unsigned, in wait_until and test, the old names
 * included; at the ends of each type's range.
 * PES: 1
 */
#include "check.h"
#include <limits.h>

static int expected(int cmp, int order)
{
	switch (cmp) {
	case SHMEM_CMP_EQ:
		return order == 0;
	case SHMEM_CMP_NE:
		return order != 0;
	case SHMEM_CMP_GT:
		return order > 0;
	case SHMEM_CMP_LE:
		return order <= 0;
	case SHMEM_CMP_LT:
		return order < 0;
	default:
		return order >= 0;
	}
}

#define COMPARE(T, N, ...) \
	static void compare_##N(void) \
	{ \
		static const T values[] = { __VA_ARGS__ }; \
		static T var; \
		const int n = sizeof(values) / sizeof(*values); \
		for (int k = 0; k < n * n * 6; k++) { \
			T a = values[k % n], b = values[k / n % n]; \
			int cmp = k / (n * n), order = (a > b) - (a < b); \
			var = a; \
			CHECK_EQ(shmem_##N##_test(&var, cmp, b), \
				 expected(cmp, order)); \
			if (expected(cmp, order)) \
				shmem_##N##_wait_until(&var, cmp, b); \
		} \
	}

COMPARE(short, short, 0, 1, -1, SHRT_MIN, SHRT_MAX)
COMPARE(unsigned short, ushort, 0, 1, USHRT_MAX, 0x8000)
COMPARE(int, int, 0, 1, -1, INT_MIN, INT_MAX)
COMPARE(unsigned int, uint, 0, 1, UINT_MAX, 0x80000000u)
COMPARE(long, long, 0, 1, -1, LONG_MIN, LONG_MAX)
COMPARE(unsigned long, ulong, 0, 1, ULONG_MAX, 1ul << 63)
COMPARE(long long, longlong, 0, 1, -1, LLONG_MIN, LLONG_MAX)
COMPARE(unsigned long long, ulonglong, 0, 1, ULLONG_MAX, 1ull << 63)
COMPARE(int32_t, int32, 0, 1, -1, INT32_MIN, INT32_MAX)
COMPARE(int64_t, int64, 0, 1, -1, INT64_MIN, INT64_MAX)
COMPARE(uint32_t, uint32, 0, 1, UINT32_MAX, 0x80000000u)
COMPARE(uint64_t, uint64, 0, 1, UINT64_MAX, UINT64_C(1) << 63)
COMPARE(size_t, size, 0, 1, SIZE_MAX, SIZE_MAX / 2 + 1)
COMPARE(ptrdiff_t, ptrdiff, 0, 1, -1, PTRDIFF_MIN, PTRDIFF_MAX)

/* The first waits: until the value is no longer the one given. */
static void old_waits(void)
{
	static long var = 4;
	static int narrow = -1;

	shmem_wait(&var, 3);
	shmem_long_wait(&var, 5);
	shmem_int_wait(&narrow, 1);
	(shmem_wait_until)(&var, SHMEM_CMP_EQ, 4);
	CHECK_EQ(shmem_signal_wait_until((uint64_t *)&var, SHMEM_CMP_GE, 4),
		 4);
}

int main(void)
{
	shmem_init();
	compare_short();
	compare_ushort();
	compare_int();
	compare_uint();
	compare_long();
	compare_ulong();
	compare_longlong();
	compare_ulonglong();
	compare_int32();
	compare_int64();
	compare_uint32();
	compare_uint64();
	compare_size();
	compare_ptrdiff();
	old_waits();
	return check_end();
}
