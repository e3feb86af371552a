/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Point-to-point synchronisation on integers of 4 and 8 bytes. A value travels
 * as 64 bits, sign-extended if is_signed. A group waits as one: all items make
 * the call and get the same answer.
 */
#ifndef SHMEM_DEVICE_WAIT_H
#define SHMEM_DEVICE_WAIT_H

#include <shmem/device/reach.h>

/* Whether an integer type has a sign. */
#define SHMEMD_SIGNED(T) ((T)-1 < (T)1)

/*
 * A set of variables: element i is in it unless status[i] is nonzero, and is
 * compared with values[i], or with value if values is NULL.
 */
struct shmemd_wait_set {
	const char *ivars;
	size_t nelems;
	const int *status;
	unsigned int bytes;
	int is_signed;
	int cmp;
	uint64_t value;
	const void *values;
};

typedef uint32_t __attribute__((may_alias)) shmemd_wait32;
typedef uint64_t __attribute__((may_alias)) shmemd_wait64;

/* Loads of a sweep that are in flight together. */
#define SHMEMD_SWEEP 4

SHMEMD_FN uint64_t shmemd_wait_extend(uint64_t v, unsigned int bytes,
				      int is_signed)
{
	if (bytes == 8)
		return v;
	return is_signed ? (uint64_t)(int64_t)(int32_t)v : (uint32_t)v;
}

SHMEMD_FN uint64_t shmemd_wait_load(const void *ivar, unsigned int bytes,
				    int is_signed)
{
	return shmemd_wait_extend(bytes == 8 ? shmemd_load64(ivar) :
					       shmemd_load32(ivar),
				  bytes, is_signed);
}

SHMEMD_FN int shmemd_less(uint64_t a, uint64_t b, int is_signed)
{
	return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

SHMEMD_FN int shmemd_holds(uint64_t a, int cmp, uint64_t b, int is_signed)
{
	switch (cmp) {
	case SHMEM_CMP_EQ:
		return a == b;
	case SHMEM_CMP_NE:
		return a != b;
	case SHMEM_CMP_GT:
		return shmemd_less(b, a, is_signed);
	case SHMEM_CMP_LE:
		return !shmemd_less(b, a, is_signed);
	case SHMEM_CMP_LT:
		return shmemd_less(a, b, is_signed);
	default:
		return !shmemd_less(a, b, is_signed);
	}
}

SHMEMD_SLOW void shmemd_wait_check_slow(const char *api, const void *ivar,
					size_t nelems, unsigned int bytes,
					int cmp)
{
	if (cmp != SHMEM_CMP_EQ && cmp != SHMEM_CMP_NE && cmp != SHMEM_CMP_GT &&
	    cmp != SHMEM_CMP_GE && cmp != SHMEM_CMP_LT && cmp != SHMEM_CMP_LE)
		shmemd_misuse(api, "cmp: expected one of SHMEM_CMP_*",
			      (uint64_t)(int64_t)cmp, -1);
	if (nelems > SIZE_MAX / bytes)
		shmemd_misuse(api, "nelems: larger than memory", nelems, -1);
	shmemd_reach_slow(api, ivar, nelems * bytes, bytes, shmemd_block.me);
}

SHMEMD_FN void shmemd_wait_check(const char *api, const void *ivar,
				 size_t nelems, unsigned int bytes, int cmp)
{
	if (SHMEMD_UNLIKELY(shmemd_block.check) && nelems)
		shmemd_wait_check_slow(api, ivar, nelems, bytes, cmp);
}

SHMEMD_FN void shmemd_wait_until(enum shmemd_scope s, const char *api,
				 const void *ivar, unsigned int bytes,
				 int is_signed, int cmp, uint64_t value)
{
	struct shmemd_wait wait = { { 0 }, 0 };
	const int looks = shmemd_scope_index(s) == 0;

	shmemd_wait_check(api, ivar, 1, bytes, cmp);
	while (looks && !shmemd_holds(shmemd_wait_load(ivar, bytes, is_signed),
				      cmp, value, is_signed))
		shmemd_wait_turn(&wait);
	shmemd_flag_seen_before_payload(s, looks);
}

/* What item 0 found, for all, who may then read what is behind it. */
SHMEMD_FN uint64_t shmemd_wait_answer(enum shmemd_scope s, uint64_t found)
{
	const uint64_t answer = shmemd_scope_bcast(s, found);

	shmemd_flag_seen_before_payload(s, shmemd_scope_index(s) == 0);
	return answer;
}

/* shmem_signal_wait_until: the signal that ended the wait. */
SHMEMD_FN uint64_t shmemd_signal_wait(enum shmemd_scope s, const char *api,
				      const uint64_t *signal, int cmp,
				      uint64_t value)
{
	struct shmemd_wait wait = { { 0 }, 0 };
	const int looks = shmemd_scope_index(s) == 0;
	uint64_t now = value;

	shmemd_wait_check(api, signal, 1, 8, cmp);
	while (looks &&
	       !shmemd_holds(now = shmemd_load64(signal), cmp, value, 0))
		shmemd_wait_turn(&wait);
	if (cmp != SHMEM_CMP_EQ)
		return shmemd_wait_answer(s, now);
	shmemd_flag_seen_before_payload(s, looks);
	return value;
}

SHMEMD_FN int shmemd_test(enum shmemd_scope s, const char *api,
			  const void *ivar, unsigned int bytes, int is_signed,
			  int cmp, uint64_t value)
{
	int found = 0;

	shmemd_wait_check(api, ivar, 1, bytes, cmp);
	if (shmemd_scope_index(s) == 0)
		found = shmemd_holds(shmemd_wait_load(ivar, bytes, is_signed),
				     cmp, value, is_signed);
	return (int)shmemd_wait_answer(s, (uint64_t)found);
}

/* Begin of a call on a set: looks at the arguments. */
SHMEMD_FN void shmemd_set_check(const char *api,
				const struct shmemd_wait_set *set)
{
	shmemd_wait_check(api, set->ivars, set->nelems, set->bytes, set->cmp);
}

SHMEMD_FN int shmemd_set_has(const struct shmemd_wait_set *set, size_t i)
{
	return !set->status || !set->status[i];
}

SHMEMD_FN int shmemd_set_compare(const struct shmemd_wait_set *set, size_t i,
				 uint64_t now)
{
	uint64_t value = set->value;

	/* Plain loads: the caller's array may be of any kind of memory. */
	if (set->values && set->bytes == 8)
		value = ((const shmemd_wait64 *)set->values)[i];
	else if (set->values)
		value = shmemd_wait_extend(
			((const shmemd_wait32 *)set->values)[i], 4,
			set->is_signed);
	return shmemd_holds(now, set->cmp, value, set->is_signed);
}

SHMEMD_FN uint64_t shmemd_set_load(const struct shmemd_wait_set *set, size_t i)
{
	return shmemd_wait_load(set->ivars + i * set->bytes, set->bytes,
				set->is_signed);
}

/* The first of the set from i to end - 1 that is, or isn't, as asked for. */
SHMEMD_FN size_t shmemd_set_find(const struct shmemd_wait_set *set, size_t i,
				 size_t end, int wanted)
{
	uint64_t now[SHMEMD_SWEEP];
	size_t k;

	for (; end - i >= SHMEMD_SWEEP; i += SHMEMD_SWEEP) {
		for (k = 0; k < SHMEMD_SWEEP; k++)
			now[k] = shmemd_set_load(set, i + k);
		for (k = 0; k < SHMEMD_SWEEP; k++)
			if (shmemd_set_has(set, i + k) &&
			    shmemd_set_compare(set, i + k, now[k]) == wanted)
				return i + k;
	}
	for (; i < end; i++)
		if (shmemd_set_has(set, i) &&
		    shmemd_set_compare(set, i, shmemd_set_load(set, i)) ==
			    wanted)
			return i;
	return SIZE_MAX;
}

SHMEMD_FN int shmemd_set_empty(const struct shmemd_wait_set *set)
{
	size_t i;

	for (i = 0; i < set->nelems; i++)
		if (shmemd_set_has(set, i))
			return 0;
	return 1;
}

SHMEMD_FN int shmemd_test_all(enum shmemd_scope s, const char *api,
			      const struct shmemd_wait_set *set)
{
	int all = 0;

	shmemd_set_check(api, set);
	if (shmemd_scope_index(s) == 0)
		all = shmemd_set_find(set, 0, set->nelems, 0) == SIZE_MAX;
	return (int)shmemd_wait_answer(s, (uint64_t)all);
}

SHMEMD_FN void shmemd_wait_all(enum shmemd_scope s, const char *api,
			       const struct shmemd_wait_set *set)
{
	struct shmemd_wait wait = { { 0 }, 0 };
	const size_t step = shmemd_scope_size(s);
	size_t i;

	shmemd_set_check(api, set);
	/* One that was as asked for once is done. */
	for (i = shmemd_scope_index(s); i < set->nelems; i += step)
		while (shmemd_set_has(set, i) &&
		       !shmemd_set_compare(set, i, shmemd_set_load(set, i)))
			shmemd_wait_turn(&wait);
	shmemd_flag_before_payload(s);
}

/*
 * One that is as asked for, by one item. The search starts anywhere, so that a
 * caller who goes by one index at a time comes past all.
 */
SHMEMD_FN size_t shmemd_set_any(const struct shmemd_wait_set *set)
{
	const uint64_t mixed = (shmemd_clock() + 1) * 0x9e3779b97f4a7c15u;
	size_t start, found;

	if (!set->nelems)
		return SIZE_MAX;
	start = (size_t)((mixed >> 24) % set->nelems);
	found = shmemd_set_find(set, start, set->nelems, 1);
	return found != SIZE_MAX ? found : shmemd_set_find(set, 0, start, 1);
}

SHMEMD_FN size_t shmemd_test_any(enum shmemd_scope s, const char *api,
				 const struct shmemd_wait_set *set)
{
	size_t found = SIZE_MAX;

	shmemd_set_check(api, set);
	if (shmemd_scope_index(s) == 0)
		found = shmemd_set_any(set);
	return (size_t)shmemd_wait_answer(s, found);
}

SHMEMD_FN size_t shmemd_wait_any(enum shmemd_scope s, const char *api,
				 const struct shmemd_wait_set *set)
{
	struct shmemd_wait wait = { { 0 }, 0 };
	size_t found = SIZE_MAX;

	shmemd_set_check(api, set);
	if (shmemd_scope_index(s) == 0 && !shmemd_set_empty(set))
		while ((found = shmemd_set_any(set)) == SIZE_MAX)
			shmemd_wait_turn(&wait);
	return (size_t)shmemd_wait_answer(s, found);
}

/* The indices of all that are as asked for, by one item. */
SHMEMD_FN size_t shmemd_set_some(const struct shmemd_wait_set *set,
				 size_t *indices)
{
	size_t found = 0, i = 0;

	while ((i = shmemd_set_find(set, i, set->nelems, 1)) != SIZE_MAX)
		indices[found++] = i++;
	return found;
}

SHMEMD_FN size_t shmemd_test_some(enum shmemd_scope s, const char *api,
				  const struct shmemd_wait_set *set,
				  size_t *indices)
{
	size_t found = 0;

	shmemd_set_check(api, set);
	if (shmemd_scope_index(s) == 0)
		found = shmemd_set_some(set, indices);
	return (size_t)shmemd_wait_answer(s, found);
}

SHMEMD_FN size_t shmemd_wait_some(enum shmemd_scope s, const char *api,
				  const struct shmemd_wait_set *set,
				  size_t *indices)
{
	struct shmemd_wait wait = { { 0 }, 0 };
	size_t found = 0;

	shmemd_set_check(api, set);
	if (shmemd_scope_index(s) == 0 && !shmemd_set_empty(set))
		while (!(found = shmemd_set_some(set, indices)))
			shmemd_wait_turn(&wait);
	return (size_t)shmemd_wait_answer(s, found);
}

/* values NULL: all are compared with value. */
SHMEMD_FN struct shmemd_wait_set
shmemd_wait_set_of(const void *ivars, size_t nelems, const int *status,
		   unsigned int bytes, int is_signed, int cmp, uint64_t value,
		   const void *values)
{
	struct shmemd_wait_set set;

	set.ivars = (const char *)ivars;
	set.nelems = nelems;
	set.status = status;
	set.bytes = bytes;
	set.is_signed = is_signed;
	set.cmp = cmp;
	set.value = value;
	set.values = values;
	return set;
}

#endif
