/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory ordering on the host, named by what is ordered. No other file holds
 * a fence or an order but the atomics of the API, which are sequentially
 * consistent; and stream_before_flag(), which differs by processor (cpu.h).
 *
 * A flag announces a payload: the stores of the payload, then flag_store() or
 * flag_add(); who sees that through flag_load*() sees the payload. "A release
 * store synchronizes with an acquire load that reads its value" (C11 5.1.2.4).
 */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <stdint.h>

static inline void flag_store(uint64_t *flag, uint64_t value)
{
	__atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

static inline void flag_store32(uint32_t *flag, uint32_t value)
{
	__atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

static inline void flag_add(uint64_t *flag, uint64_t value)
{
	__atomic_fetch_add(flag, value, __ATOMIC_RELEASE);
}

/* 1: it was `from` and is `to` now, by this caller alone. */
static inline int flag_take32(uint32_t *flag, uint32_t from, uint32_t to)
{
	return __atomic_compare_exchange_n(flag, &from, to, 0, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

static inline uint64_t flag_load(const uint64_t *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static inline uint32_t flag_load32(const uint32_t *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static inline uint16_t flag_load16(const uint16_t *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

/* One more has arrived: what each stored before is seen by the last. */
static inline uint64_t flag_arrive(uint64_t *count)
{
	return __atomic_add_fetch(count, 1, __ATOMIC_ACQ_REL);
}

/* gcc's TSan knows no fences; the flags above are what it checks. */
#pragma GCC diagnostic push
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wtsan"
#endif

/* fence: stores to a PE, then later stores to the same PE. */
static inline void store_before_store(void)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

/*
 * quiet: stores, then all later accesses; of two PEs that each store, quiet
 * and load what the other stored, one sees the other's store.
 */
static inline void store_before_all(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#pragma GCC diagnostic pop

#endif
