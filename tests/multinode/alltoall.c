/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall [ROUNDS [BYTES]]: all to all with random sizes: the collective, with
 * one size for all pairs, and pieces of sizes of their own, up to BYTES, by
 * put_signal to each PE in random order.
 * PES: all
 */
#include "../host/check.h"

enum { MAX_PES = 64 };

static int me, n_pes;
static size_t most_bytes;
static unsigned char *dest, *source;
static uint64_t arrived[MAX_PES];

/* Half of the sizes are small. */
static size_t some_bytes(uint64_t *state)
{
	size_t most = check_random(state) % 2 ? 256 : most_bytes;

	return check_below(state, (most < most_bytes ? most : most_bytes) + 1);
}

static unsigned char byte_of(int round, int from, int to, size_t i)
{
	return (unsigned char)((size_t)(round * 31 + from * 7 + to * 3) + i +
			       i / 251);
}

static void fill(unsigned char *at, int round, int to, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		at[i] = byte_of(round, me, to, i);
}

static void check_piece(const unsigned char *at, int round, int from,
			size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (at[i] != byte_of(round, from, me, i)) {
			fprintf(stderr,
				"PE %d: round %d, byte %zu of %zu from PE %d "
				"is %d, expected %d\n",
				me, round, i, bytes, from, at[i],
				byte_of(round, from, me, i));
			CHECK(!"the piece is as sent");
			return;
		}
}

static void collective(int round, size_t bytes)
{
	for (int pe = 0; pe < n_pes; pe++)
		fill(source + (size_t)pe * bytes, round, pe, bytes);
	CHECK_EQ(shmem_alltoallmem(SHMEM_TEAM_WORLD, dest, source, bytes), 0);
	for (int pe = 0; pe < n_pes; pe++)
		check_piece(dest + (size_t)pe * bytes, round, pe, bytes);
	shmem_barrier_all();
}

static void pieces(int round, uint64_t *state)
{
	size_t bytes[MAX_PES][MAX_PES];
	int first = (int)check_below(state, (size_t)n_pes);

	for (int from = 0; from < n_pes; from++)
		for (int to = 0; to < n_pes; to++)
			bytes[from][to] = some_bytes(state);
	for (int i = 0; i < n_pes; i++) {
		int pe = (me + first + i) % n_pes;
		unsigned char *at = source + (size_t)pe * most_bytes;

		fill(at, round, pe, bytes[me][pe]);
		shmem_putmem_signal_nbi(dest + (size_t)me * most_bytes, at,
					bytes[me][pe], &arrived[me], 1,
					SHMEM_SIGNAL_ADD, pe);
	}
	for (int pe = 0; pe < n_pes; pe++) {
		shmem_signal_wait_until(&arrived[pe], SHMEM_CMP_EQ,
					(uint64_t)round + 1);
		check_piece(dest + (size_t)pe * most_bytes, round, pe,
			    bytes[pe][me]);
	}
	shmem_barrier_all();
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 30;
	uint64_t state;

	shmem_init();
	me = shmem_my_pe();
	n_pes = shmem_n_pes();
	if (n_pes > MAX_PES)
		return 77;
	most_bytes = argc > 2 ? strtoul(argv[2], NULL, 0) : 100000;
	dest = shmem_malloc((size_t)n_pes * most_bytes);
	source = shmem_malloc((size_t)n_pes * most_bytes);
	state = check_seed();
	for (int round = 0; round < rounds; round++) {
		collective(round, some_bytes(&state));
		pieces(round, &state);
	}
	return check_end();
}
