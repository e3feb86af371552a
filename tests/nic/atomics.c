/* SPDX-License-Identifier: BSD-3-Clause */
/* The software NIC's masked atomics, against the same bit by bit. */
#include <stdio.h>
#include <stdlib.h>

#include "nic_impl.h"

static uint64_t state;

static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Carries stop at the bits that are set in `tops`. */
static uint64_t add_by_bits(uint64_t a, uint64_t b, uint64_t tops,
			    unsigned int bits)
{
	uint64_t sum = 0;
	unsigned int carry = 0;

	for (unsigned int i = 0; i < bits; i++) {
		const unsigned int one = (unsigned int)(a >> i & 1) +
					 (unsigned int)(b >> i & 1) + carry;

		sum |= (uint64_t)(one & 1) << i;
		carry = tops >> i & 1 ? 0 : one >> 1;
	}
	return sum;
}

static uint64_t swap_by_bits(uint64_t was, const uint64_t d[4])
{
	uint64_t next = 0;

	for (unsigned int i = 0; i < 64; i++)
		if (d[3] >> i & 1 && (was >> i & 1) != (d[1] >> i & 1))
			return was;
	for (unsigned int i = 0; i < 64; i++)
		next |= ((d[2] >> i & 1 ? d[0] : was) >> i & 1) << i;
	return next;
}

static int check(unsigned int bytes, int add)
{
	const uint64_t all = bytes == 8 ? UINT64_MAX : UINT32_MAX;
	const uint64_t was = any() & all;
	struct nic_request r = { .op = add ? NIC_MASKED_ADD : NIC_MASKED_SWAP,
				 .bytes = bytes };
	uint64_t word = was, next;

	for (int i = 0; i < 4; i++)
		r.data[i] = any() & all;
	/* Often equal where it counts. */
	if (!add && any() & 1)
		r.data[1] = (was & r.data[3]) | (r.data[1] & ~r.data[3]);
	next = add ? add_by_bits(was, r.data[0], r.data[1], bytes * 8) :
		     swap_by_bits(was, r.data);
	if (nic_atomic_cpu(&r, &word) == was && word == next)
		return 1;
	fprintf(stderr, "%u bytes, %s: %#llx became %#llx, not %#llx\n", bytes,
		add ? "add" : "swap", (unsigned long long)was,
		(unsigned long long)word, (unsigned long long)next);
	return 0;
}

int main(void)
{
	const char *seed = getenv("SEED");

	state = seed ? strtoull(seed, NULL, 0) : nic_now_ns() | 1;
	fprintf(stderr, "SEED=%llu\n", (unsigned long long)state);
	for (int i = 0; i < 40000; i++)
		if (!check(i & 1 ? 4 : 8, i >> 1 & 1))
			return 1;
	return 0;
}
