/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What members of other nodes tell of where rows go is used if it lies in
 * symmetric memory: nobody vouches for it where the network failed.
 */
#include <shmemx.h>

#include <stdio.h>
#include <stdlib.h>

#include <shmem/device/coll_rows_far.h>

#define CHECK(x) \
	((x) ? (void)0 : \
	       (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x), \
		exit(1)))

#define HEAP_BYTES 4096
#define DATA_BYTES 256
#define HEAP 1u
#define DATA 3u

static char heap[HEAP_BYTES], data[DATA_BYTES];
static _Alignas(64) char sync_memory[65536];
static struct shmemd_sync *syncs[] = { (void *)sync_memory,
				       (void *)sync_memory };
static struct shmemd_team team = {
	.n_pes = 2, .far = 1, .ll_bytes = 64, .sync = (void *)sync_memory
};

static void open_block(void)
{
	shmemd_block.heap = heap;
	shmemd_block.heap_bytes = HEAP_BYTES;
	shmemd_block.other[1].base = data;
	shmemd_block.other[1].bytes = DATA_BYTES;
	team.syncs = syncs;
}

static uint64_t spot_at(uint64_t at, unsigned int segment)
{
	return at << SHMEMD_SPOT_SHIFT | segment;
}

/* What member 1 has told of `bytes` bytes, as this PE takes it. */
static uint64_t taken(uint64_t told, size_t bytes)
{
	const struct shmemd_rows rows = { .team = &team };
	const struct shmemd_round round = { .first = 4, .n = 8, .number = 6 };

	shmemd_store64(shmemd_far_slot_of(&team, 0, 1, 6) + 8 * 3, told);
	return shmemd_rows_spot(&rows, &round, 1, 7, bytes);
}

static void test_good(void)
{
	const uint64_t in_heap = shmemd_spot_of(heap + 4000, 96);
	const uint64_t in_data = shmemd_spot_of(data, DATA_BYTES);

	CHECK(in_heap == spot_at(4000, HEAP) && in_data == spot_at(0, DATA));
	CHECK(taken(in_heap, 96) == in_heap);
	CHECK(shmemd_spot_mine(taken(in_heap, 96)) == heap + 4000);
	CHECK(taken(in_data, DATA_BYTES) == in_data);
	CHECK(taken(spot_at(HEAP_BYTES, HEAP), 0));
}

static void test_nonsense(void)
{
	CHECK(!taken(0, 8));
	CHECK(!taken(spot_at(4000, HEAP), 97));
	CHECK(!taken(spot_at(8, HEAP), SIZE_MAX));
	CHECK(!taken(spot_at(HEAP_BYTES + 1, HEAP), 0));
	CHECK(!taken(spot_at(0, DATA), DATA_BYTES + 1));
	CHECK(!taken(spot_at(HEAP_BYTES / 2, DATA), 8));
	CHECK(!taken(spot_at(0, 2), 8));
	CHECK(!taken(spot_at(8, 0), 8));
	CHECK(!taken(UINT64_MAX, 8));
	CHECK(!taken((uint64_t)1 << 63 | HEAP, 8));
}

int main(void)
{
	open_block();
	test_good();
	test_nonsense();
	return 0;
}
