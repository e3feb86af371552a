/* SPDX-License-Identifier: BSD-3-Clause */
#include "nic_impl.h"

/* What the word becomes that was `was`. */
uint64_t nic_atomic_next(const struct nic_request *r, uint64_t was)
{
	const uint64_t *d = r->data;
	uint64_t sum;

	switch (r->op) {
	case NIC_ADD:
		return was + d[0];
	case NIC_SWAP_IF:
		return was == d[1] ? d[0] : was;
	case NIC_MASKED_SWAP:
		return (was ^ d[1]) & d[3] ? was :
					     (was & ~d[2]) | (d[0] & d[2]);
	default:
		/* Without the top bits of fields no carry leaves one. */
		sum = (was & ~d[1]) + (d[0] & ~d[1]);
		return sum ^ ((was ^ d[0]) & d[1]);
	}
}

uint64_t nic_atomic_cpu(const struct nic_request *r, void *p)
{
	uint64_t was8;
	uint32_t was4;

	if (r->bytes == 8) {
		was8 = __atomic_load_n((uint64_t *)p, __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(
			(uint64_t *)p, &was8, nic_atomic_next(r, was8), 0,
			__ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			continue;
		return was8;
	}
	was4 = __atomic_load_n((uint32_t *)p, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		(uint32_t *)p, &was4, (uint32_t)nic_atomic_next(r, was4), 0,
		__ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		continue;
	return was4;
}
