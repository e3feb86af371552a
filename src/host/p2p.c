/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/p2p.h"

#include <string.h>

#include "base/log.h"
#include "base/order.h"
#include "host/check.h"
#include "host/move.h"
#include "host/turn.h"

/* A look at what the host may have to ask the device for. */
static inline uint64_t load(const void *addr, size_t bytes, int is_signed)
{
	uint64_t bounce;
	const void *ivar = shmemi_fetch(addr, &bounce, bytes);

	switch (bytes) {
	case 2: {
		uint16_t v = flag_load16(ivar);

		return is_signed ? (uint64_t)(int16_t)v : v;
	}
	case 4: {
		uint32_t v = flag_load32(ivar);

		return is_signed ? (uint64_t)(int32_t)v : v;
	}
	default:
		return flag_load(ivar);
	}
}

static inline int less(uint64_t a, uint64_t b, int is_signed)
{
	return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static inline int holds(uint64_t a, int cmp, uint64_t b, int is_signed)
{
	switch (cmp) {
	case SHMEM_CMP_EQ:
		return a == b;
	case SHMEM_CMP_NE:
		return a != b;
	case SHMEM_CMP_GT:
		return less(b, a, is_signed);
	case SHMEM_CMP_LE:
		return !less(b, a, is_signed);
	case SHMEM_CMP_LT:
		return less(a, b, is_signed);
	default:
		return !less(a, b, is_signed);
	}
}

/* Between two looks. A kernel that found a misuse will not answer. */
static inline void take_turn(const char *api, struct shmemi_wait *wait)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	shmemi_turn(wait);
}

static void check(const char *api, const void *ivar, size_t bytes, int cmp)
{
	shmemi_check_sym(api, "ivar", ivar, bytes);
	shmemi_check_cmp(api, cmp);
	shmemi_trace(SYNC, "%s: %p, %zu bytes, cmp %d", shmemi_api(api), ivar,
		     bytes, cmp);
}

uint64_t shmemi_wait_until(const char *api, const void *ivar, size_t bytes,
			   int is_signed, int cmp, uint64_t value)
{
	struct shmemi_wait wait = { 0 };
	uint64_t now;

	if (unlikely(shmemi.guard))
		check(api, ivar, bytes, cmp);
	while (!holds(now = load(ivar, bytes, is_signed), cmp, value,
		      is_signed))
		take_turn(api, &wait);
	return now;
}

int shmemi_test(const char *api, const void *ivar, size_t bytes, int is_signed,
		int cmp, uint64_t value)
{
	if (unlikely(shmemi.guard))
		check(api, ivar, bytes, cmp);
	if (holds(load(ivar, bytes, is_signed), cmp, value, is_signed))
		return 1;
	shmemi_progress();
	return 0;
}

static int in_set(const struct shmemi_wait_set *set, size_t i)
{
	return !set->status || !set->status[i];
}

static int satisfied(const struct shmemi_wait_set *set, size_t i)
{
	const char *value = (const char *)set->values + i * set->value_stride;

	return holds(load((const char *)set->ivars + i * set->bytes, set->bytes,
			  set->is_signed),
		     set->cmp, load(value, set->bytes, set->is_signed),
		     set->is_signed);
}

static void check_set(const char *api, const struct shmemi_wait_set *set)
{
	shmemi_check_up(api);
	if (set->nelems)
		check(api, set->ivars, set->nelems * set->bytes, set->cmp);
}

static int empty(const struct shmemi_wait_set *set)
{
	for (size_t i = 0; i < set->nelems; i++)
		if (in_set(set, i))
			return 0;
	return 1;
}

int shmemi_test_all(const char *api, const struct shmemi_wait_set *set)
{
	if (unlikely(shmemi.guard))
		check_set(api, set);
	for (size_t i = 0; i < set->nelems; i++)
		if (in_set(set, i) && !satisfied(set, i)) {
			shmemi_progress();
			return 0;
		}
	return 1;
}

void shmemi_wait_all(const char *api, const struct shmemi_wait_set *set)
{
	struct shmemi_wait wait = { 0 };

	if (unlikely(shmemi.guard))
		check_set(api, set);
	/* Element by element: one that was true once counts as satisfied. */
	for (size_t i = 0; i < set->nelems; i++)
		while (in_set(set, i) && !satisfied(set, i))
			take_turn(api, &wait);
}

/*
 * Where a search starts: anywhere, so that a caller who goes by one index at
 * a time comes past all, whatever other sets it asks for in between.
 */
static size_t any_start(size_t n)
{
	static _Thread_local uint64_t random;

	random = random * 6364136223846793005u + 1442695040888963407u;
	return (random >> 33) % n;
}

size_t shmemi_test_any(const char *api, const struct shmemi_wait_set *set)
{
	size_t n = set->nelems, i;

	if (unlikely(shmemi.guard))
		check_set(api, set);
	if (!n)
		return SIZE_MAX;
	i = any_start(n);
	for (size_t k = 0; k < n; k++, i = i + 1 < n ? i + 1 : 0)
		if (in_set(set, i) && satisfied(set, i))
			return i;
	shmemi_progress();
	return SIZE_MAX;
}

size_t shmemi_wait_any(const char *api, const struct shmemi_wait_set *set)
{
	struct shmemi_wait wait = { 0 };
	size_t i;

	if (empty(set))
		return SIZE_MAX;
	while ((i = shmemi_test_any(api, set)) == SIZE_MAX)
		take_turn(api, &wait);
	return i;
}

size_t shmemi_test_some(const char *api, const struct shmemi_wait_set *set,
			size_t *indices)
{
	size_t found = 0;

	if (unlikely(shmemi.guard))
		check_set(api, set);
	for (size_t i = 0; i < set->nelems; i++)
		if (in_set(set, i) && satisfied(set, i))
			indices[found++] = i;
	if (!found)
		shmemi_progress();
	return found;
}

size_t shmemi_wait_some(const char *api, const struct shmemi_wait_set *set,
			size_t *indices)
{
	struct shmemi_wait wait = { 0 };
	size_t found;

	if (empty(set))
		return 0;
	while (!(found = shmemi_test_some(api, set, indices)))
		take_turn(api, &wait);
	return found;
}
