/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Point-to-point synchronisation on integers of 2, 4 and 8 bytes. A value
 * travels as 64 bits, sign-extended if is_signed.
 */
#ifndef SHMEMI_P2P_H
#define SHMEMI_P2P_H

#include <stddef.h>
#include <stdint.h>

/* Returns the value that satisfied the comparison. */
uint64_t shmemi_wait_until(const char *api, const void *ivar, size_t bytes,
			   int is_signed, int cmp, uint64_t value);
int shmemi_test(const char *api, const void *ivar, size_t bytes, int is_signed,
		int cmp, uint64_t value);

/*
 * A set of variables. Element i is in it unless status[i] is nonzero and is
 * compared with values[i], or with values[0] if value_stride is 0. Searches
 * for any start at random, so that none that is satisfied starves.
 */
struct shmemi_wait_set {
	const void *ivars;
	size_t nelems;
	const int *status;
	size_t bytes;
	int is_signed;
	int cmp;
	const void *values;
	size_t value_stride;
};

void shmemi_wait_all(const char *api, const struct shmemi_wait_set *set);
int shmemi_test_all(const char *api, const struct shmemi_wait_set *set);

/* An index, or SIZE_MAX when the set is empty or, for test, none is true. */
size_t shmemi_wait_any(const char *api, const struct shmemi_wait_set *set);
size_t shmemi_test_any(const char *api, const struct shmemi_wait_set *set);

/* How many indices were written; wait returns 0 only for an empty set. */
size_t shmemi_wait_some(const char *api, const struct shmemi_wait_set *set,
			size_t *indices);
size_t shmemi_test_some(const char *api, const struct shmemi_wait_set *set,
			size_t *indices);

#endif
