/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomics of 4 and 8 bytes on memory that other processes share. With a
 * constant op and size each call is one instruction.
 */
#ifndef CONDUIT_ATOMIC_H
#define CONDUIT_ATOMIC_H

#include <stddef.h>
#include <stdint.h>

#include "base/order.h"
#include "conduits/conduit.h"

#define WORD uint32_t
#define NAME shmemi_atomic32
#include "conduits/atomic.inc"

#define WORD uint64_t
#define NAME shmemi_atomic64
#include "conduits/atomic.inc"

/* bytes is 4 or 8. Returns the value before. */
static __always_inline uint64_t
shmemi_atomic(enum conduit_amo op, size_t bytes, void *target,
	      uint64_t operand, uint64_t cond)
{
	return bytes == 4 ? shmemi_atomic32(op, target, operand, cond) :
			    shmemi_atomic64(op, target, operand, cond);
}

/* SET or ADD of a signal, after the payload's stores. */
static inline void shmemi_signal(enum conduit_amo op, uint64_t *signal,
				 uint64_t value)
{
	if (op == CONDUIT_ADD)
		flag_add(signal, value);
	else
		flag_store(signal, value);
}

#endif
