/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team is destroyed whose contexts were not, with transfers under way: they
 * are complete then, since the memory that they write to may go.
 * PES: 2 3
 * ENV: SHMEM_NODE_SIZE=1
 */
#include "check.h"

#define N 20000
#define ROUNDS 10

static long words[N], count;

int main(void)
{
	static long got[N];
	const long options[] = { 0, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE };
	int me, n;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	for (long i = 0; i < N; i++)
		words[i] = me * N + i;
	shmem_barrier_all();
	for (int round = 0; round < ROUNDS; round++) {
		int pe = (me + 1) % n;
		long old = -1;
		shmem_team_t team;
		shmem_ctx_t ctx;

		memset(got, 0, sizeof(got));
		CHECK(!shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL,
						0, &team));
		CHECK(!shmem_team_create_ctx(team, options[round % 3], &ctx));
		shmem_ctx_long_get_nbi(ctx, got, words, N, pe);
		shmem_ctx_long_atomic_fetch_add_nbi(ctx, &old, &count, 1, pe);
		shmem_team_destroy(team);
		for (long i = 0; i < N; i++)
			CHECK(got[i] == pe * N + i);
		CHECK(old == round);
	}
	shmem_barrier_all();
	CHECK(count == ROUNDS);
	return check_end();
}
