/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atomics [ROUNDS]: atomics on one variable by all PEs, near and far, through
 * contexts of all kinds, and by the processor of its owner: no update is lost.
 * PES: all
 */
#include "../host/check.h"

static long sum, tokens;
static int narrow_sum;
static unsigned long bits, guarded;
static unsigned int narrow_bits;
static long swapped_out;

static int me, n_pes;
static long rounds = 300;

/* The owner's own, as a program or a compiler's atomics would. */
static void add_here(int owner)
{
	if (owner != me)
		return;
	__atomic_fetch_add(&sum, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&narrow_sum, 1, __ATOMIC_SEQ_CST);
}

static void add(shmem_ctx_t ctx, int owner)
{
	for (long i = 0; i < rounds; i++) {
		shmem_ctx_long_atomic_add(ctx, &sum, 1, owner);
		shmem_ctx_int_atomic_inc(ctx, &narrow_sum, owner);
		shmem_ctx_long_atomic_fetch_add(ctx, &sum, 1, owner);
		shmem_ctx_int_atomic_fetch_inc(ctx, &narrow_sum, owner);
		add_here(owner);
	}
}

static void check_sums(int owner)
{
	const long all = rounds * (2 * n_pes + 1);

	if (me != owner)
		return;
	CHECK_EQ(sum, all);
	CHECK_EQ(narrow_sum, all);
}

/* A token is always in one place only. */
static void swap(shmem_ctx_t ctx, int owner)
{
	long mine = me + 1;

	for (long i = 0; i < rounds; i++)
		mine = shmem_ctx_long_atomic_swap(ctx, &tokens, mine, owner);
	shmem_ctx_long_atomic_add(ctx, &swapped_out, mine, owner);
}

static void check_tokens(int owner)
{
	if (me == owner)
		CHECK_EQ(tokens + swapped_out, (long)n_pes * (n_pes + 1) / 2);
}

/* A counter by compare and swap; some of the swaps fail. */
static void compare(shmem_ctx_t ctx, int owner)
{
	for (long i = 0; i < rounds / 10; i++) {
		unsigned long was = 0, now;

		while ((now = shmem_ctx_ulong_atomic_compare_swap(
				ctx, &guarded, was, was + 1, owner)) != was)
			was = now;
	}
}

static void toggle(shmem_ctx_t ctx, int owner)
{
	const unsigned long mine = 1ul << me;

	/* An odd number of times. */
	for (long i = 0; i < (rounds | 1); i++) {
		shmem_ctx_ulong_atomic_xor(ctx, &bits, mine, owner);
		shmem_ctx_uint_atomic_fetch_xor(ctx, &narrow_bits,
						(unsigned int)mine, owner);
	}
}

static void check_bits(int owner)
{
	const unsigned long all = (1ul << n_pes) - 1;

	if (me != owner)
		return;
	CHECK_EQ(guarded, (unsigned long)(n_pes * (rounds / 10)));
	CHECK_EQ(bits, all);
	CHECK_EQ(narrow_bits, all);
}

static void clear(void)
{
	sum = tokens = swapped_out = 0;
	narrow_sum = 0;
	bits = guarded = 0;
	narrow_bits = 0;
	shmem_barrier_all();
}

static void contend(shmem_ctx_t ctx, int owner)
{
	clear();
	add(ctx, owner);
	swap(ctx, owner);
	compare(ctx, owner);
	toggle(ctx, owner);
	shmem_ctx_quiet(ctx);
	shmem_barrier_all();
	check_sums(owner);
	check_tokens(owner);
	check_bits(owner);
	shmem_barrier_all();
}

int main(int argc, char **argv)
{
	static const long options[] = { 0, SHMEM_CTX_SERIALIZED,
					SHMEM_CTX_PRIVATE };
	shmem_ctx_t ctx;

	if (argc > 1)
		rounds = strtol(argv[1], NULL, 0);
	shmem_init();
	me = shmem_my_pe();
	n_pes = shmem_n_pes();
	if (n_pes > 31)
		return 77;
	contend(SHMEM_CTX_DEFAULT, 0);
	for (int i = 0; i < 3; i++) {
		if (shmem_ctx_create(options[(me + i) % 3], &ctx))
			ctx = SHMEM_CTX_DEFAULT;
		contend(ctx, i == 1 ? 0 : n_pes - 1);
		shmem_ctx_destroy(ctx);
	}
	return check_end();
}
