/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bnxt's table of messages when the items of a gang post together: packets are
 * numbered without gaps in the order of places, whether all messages have as
 * many or not.
 * PES: 1
 * ENV: SHMEM_CPU_GANGS=yes
 */
#include <shmem/kernel.h>

#include "format.h"

#define ITEMS 64
#define FIRST 0xfffff0

struct ask {
	struct memory *m;
	uint64_t at;	 /* first place */
	uint32_t *sizes; /* of the gang, by place */
	uint32_t step;	 /* of bytes from item to item */
};

static struct memory memory;
static uint32_t sizes[ITEMS];

SHMEMX_FN uint32_t bytes_of(const struct ask *a, unsigned int i)
{
	return 1000 + a->step * (i * 7 % 5);
}

SHMEMX_KERNEL(seal, struct ask, a)
{
	const struct shmemd_gang gang = shmemd_gang();
	const uint64_t at = a.at + gang.index;
	struct gda_op op = { GDA_WRITE, 0, 0, 0, 0, 0, { 0 } };

	op.bytes = bytes_of(&a, gang.index);
	a.sizes[gang.index] = gang.size;
	gda_bnxt_seal(&a.m->q, &gang, at, &op);
}

/* Messages of 1000 bytes and more, in packets of 1024. */
static void check(const struct ask *a)
{
	uint64_t next = memory.q.moves[0];
	unsigned int i;

	CHECK(!shmemx_launch(SHMEMX_KERNEL_REF(seal), 1, ITEMS, a, sizeof(*a),
			     NULL));
	CHECK(!shmemx_stream_synchronize(NULL));
	for (i = 0; i < ITEMS; i++) {
		const uint64_t first = next, place = a->at + i;
		const uint64_t slot = place % (2 * ITEMS) * 3;

		next += (bytes_of(a, i) + 1023) / 1024;
		CHECK(sizes[i] == ITEMS);
		CHECK(memory.messages[place % (2 * ITEMS)] ==
		      (slot << 48 | (next & 0xffffff) << 24 |
		       (first & 0xffffff)));
	}
	CHECK(memory.q.moves[0] == next);
}

int main(void)
{
	struct ask a = { &memory, 0, sizes, 0 };

	shmem_init();
	if (strcmp(shmemx_platform(), "cpu")) {
		printf("queues in the program's memory: for the CPU\n");
		return 77;
	}
	memory_init(&memory, SHMEMD_GDA_BNXT, ITEMS);
	memory.q.moves[0] = FIRST;
	check(&a);
	a.at += ITEMS;
	a.step = 3000;
	check(&a);
	a.at += ITEMS;
	a.step = 100000;
	check(&a);
	a.at += ITEMS;
	a.step = 0;
	check(&a);
	shmem_finalize();
	return 0;
}
