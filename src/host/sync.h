/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the wait and test rows, for the files that define them. */
#ifndef SHMEMI_SYNC_H
#define SHMEMI_SYNC_H

#include "host/p2p.h"
#include "host/shmemi.h"

/* 1 for a signed type; 64 bits of a value, sign-extended if it is. */
#define SHMEMI_SIGNED(T) ((T)-1 < (T)1)

#define SHMEMI_BODY_wait_until(ctx, N, T, esize) \
	shmemi_wait_until(__func__, ivar, esize, SHMEMI_SIGNED(T), cmp, \
			  (uint64_t)cmp_value);
#define SHMEMI_BODY_wait(ctx, N, T, esize) \
	shmemi_wait_until(__func__, ivar, esize, SHMEMI_SIGNED(T), \
			  SHMEM_CMP_NE, (uint64_t)cmp_value);
#define SHMEMI_BODY_test(ctx, N, T, esize) \
	return shmemi_test(__func__, ivar, esize, SHMEMI_SIGNED(T), cmp, \
			   (uint64_t)cmp_value);

#define SHMEMI_WAIT_SET(T, esize, values, stride) \
	&(const struct shmemi_wait_set) \
	{ \
		ivars, nelems, status, esize, SHMEMI_SIGNED(T), cmp, values, \
			stride \
	}
#define SHMEMI_SAME(T, esize) SHMEMI_WAIT_SET(T, esize, &cmp_value, 0)
#define SHMEMI_EACH(T, esize) SHMEMI_WAIT_SET(T, esize, cmp_values, esize)

#define SHMEMI_BODY_wait_until_all(ctx, N, T, esize) \
	shmemi_wait_all(__func__, SHMEMI_SAME(T, esize));
#define SHMEMI_BODY_wait_until_all_vector(ctx, N, T, esize) \
	shmemi_wait_all(__func__, SHMEMI_EACH(T, esize));
#define SHMEMI_BODY_wait_until_any(ctx, N, T, esize) \
	return shmemi_wait_any(__func__, SHMEMI_SAME(T, esize));
#define SHMEMI_BODY_wait_until_any_vector(ctx, N, T, esize) \
	return shmemi_wait_any(__func__, SHMEMI_EACH(T, esize));
#define SHMEMI_BODY_wait_until_some(ctx, N, T, esize) \
	return shmemi_wait_some(__func__, SHMEMI_SAME(T, esize), indices);
#define SHMEMI_BODY_wait_until_some_vector(ctx, N, T, esize) \
	return shmemi_wait_some(__func__, SHMEMI_EACH(T, esize), indices);
#define SHMEMI_BODY_test_all(ctx, N, T, esize) \
	return shmemi_test_all(__func__, SHMEMI_SAME(T, esize));
#define SHMEMI_BODY_test_all_vector(ctx, N, T, esize) \
	return shmemi_test_all(__func__, SHMEMI_EACH(T, esize));
#define SHMEMI_BODY_test_any(ctx, N, T, esize) \
	return shmemi_test_any(__func__, SHMEMI_SAME(T, esize));
#define SHMEMI_BODY_test_any_vector(ctx, N, T, esize) \
	return shmemi_test_any(__func__, SHMEMI_EACH(T, esize));
#define SHMEMI_BODY_test_some(ctx, N, T, esize) \
	return shmemi_test_some(__func__, SHMEMI_SAME(T, esize), indices);
#define SHMEMI_BODY_test_some_vector(ctx, N, T, esize) \
	return shmemi_test_some(__func__, SHMEMI_EACH(T, esize), indices);

#endif
