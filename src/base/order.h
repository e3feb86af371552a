/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory ordering on the host, named by what is ordered. No other file holds
 * a fence; flags are stored and loaded by the helpers below, so that the
 * order is part of the access where it can be.
 */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <stdint.h>

/*
 * The stores of a payload, then the store of the flag that announces it: who
 * sees the flag through flag_load() sees the payload. "A release store
 * synchronizes with an acquire load that reads its value" (C11 5.1.2.4).
 * Streaming stores are weaker; copies that use them end in
 * stream_before_flag().
 */
static inline void flag_store(uint64_t *flag, uint64_t value)
{
	__atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

static inline uint64_t flag_load(const uint64_t *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

/*
 * Streaming (non-temporal) stores, then any later store. x86 lets them pass
 * ordinary stores; SFENCE "guarantees that every store before it is globally
 * visible before any store after it" (Intel SDM 2B).
 */
static inline void stream_before_flag(void)
{
#ifdef __x86_64__
	__builtin_ia32_sfence();
#else
	__atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

/* gcc's TSan knows no fences; the pairs above are what it checks. */
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
