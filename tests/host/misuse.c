/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One wrong call, chosen by the argument, on PE 0 of a job (on all for
 * collectives). Run by misuse.sh, which knows what is to be said of it.
 */
#include "check.h"

static long variable[64], source[64];
static uint64_t signal;
static char bytes[64];
static int me, n;
static long *heap;

static void pe_high(void)
{
	shmem_long_p(variable, 1, n);
}

static void pe_negative(void)
{
	shmem_long_put(variable, source, 1, -3);
}

static void pe_get(void)
{
	shmem_long_g(variable, 1000);
}

static void pe_amo(void)
{
	shmem_long_atomic_inc(variable, n);
}

static void pe_signal(void)
{
	shmem_signal_add(&signal, 1, -1);
}

static void pe_zero_length(void)
{
	shmem_putmem(NULL, NULL, 0, n);
}

static void pe_quiet(void)
{
	shmem_pe_quiet(&(int){ 77 }, 1);
}

static void stack_dest(void)
{
	long local = 0;

	shmem_long_put(&local, source, 1, 0);
}

static void malloc_source(void)
{
	long *p = calloc(1, 8), got;

	shmem_long_get(&got, p, 1, 1);
}

static void null_dest(void)
{
	shmem_long_put(NULL, source, 4, 1);
}

static void stack_amo(void)
{
	long local = 0;

	shmem_long_atomic_add(&local, 1, 1);
}

static void stack_wait(void)
{
	long local = 0;

	shmem_long_wait_until(&local, SHMEM_CMP_EQ, 0);
}

static void stack_lock(void)
{
	long local = 0;

	shmem_set_lock(&local);
}

static void stack_signal(void)
{
	uint64_t local = 0;

	shmem_long_put_signal(variable, source, 1, &local, 1, SHMEM_SIGNAL_SET,
			      1);
}

static void past_end(void)
{
	shmem_long_put(heap, source, 1000, 1);
}

static void past_end_strided(void)
{
	shmem_long_iput(heap, source, 50, 1, 10, 1);
}

static void size_overflow(void)
{
	shmem_long_put(heap, source, SIZE_MAX / 4, 1);
}

static void freed(void)
{
	shmem_long_p(heap, 1, 1);
}

static void overlap(void)
{
	shmem_putmem(bytes + 8, bytes, 16, me);
}

static void misaligned(void)
{
	shmem_long_atomic_inc((long *)(bytes + 4), 1);
}

static void misaligned_signal(void)
{
	shmem_signal_set((uint64_t *)(bytes + 1), 1, 1);
}

static void bad_cmp(void)
{
	shmem_long_wait_until(variable, 42, 0);
}

static void bad_cmp_test(void)
{
	shmem_long_test_any(variable, 2, NULL, -1, 0);
}

static void bad_sig_op(void)
{
	shmem_long_put_signal(variable, source, 1, &signal, 1, 9, 1);
}

static void double_free(void)
{
	shmem_free(heap);
}

static void free_middle(void)
{
	shmem_free(heap + 1);
}

static void free_static(void)
{
	shmem_free(variable);
}

static void realloc_freed(void)
{
	shmem_realloc(heap, 10);
}

static void ctx_invalid(void)
{
	shmem_ctx_long_p(SHMEM_CTX_INVALID, variable, 1, 0);
}

static void clear_unheld(void)
{
	shmem_clear_lock(variable);
}

static void coll_routine(void)
{
	if (me)
		shmem_long_fcollect(SHMEM_TEAM_WORLD, variable, source, 1);
	else
		shmem_long_alltoall(SHMEM_TEAM_WORLD, variable, source, 1);
}

static void coll_count(void)
{
	shmem_long_fcollect(SHMEM_TEAM_WORLD, variable, source,
			    (size_t)me + 1);
}

static void coll_root(void)
{
	shmem_long_broadcast(SHMEM_TEAM_WORLD, variable, source, 1, me);
}

static void coll_root_high(void)
{
	shmem_long_broadcast(SHMEM_TEAM_WORLD, variable, source, 1, n);
}

static void coll_stack(void)
{
	long local[64] = { 0 };

	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, local, source, 2);
}

static void coll_overlap(void)
{
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, variable, variable + 1, 5);
}

static void coll_type(void)
{
	if (me)
		shmem_long_max_reduce(SHMEM_TEAM_WORLD, variable, source, 1);
	else
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, variable, source, 1);
}

static void active_set(void)
{
	static long sync[SHMEM_REDUCE_SYNC_SIZE], work[64];

	shmem_long_sum_to_all(variable, source, 1, 0, 0, n + 1, work, sync);
}

static const struct {
	const char *name;
	void (*act)(void);
	int all, free_first;
} cases[] = {
#define ONE(f) { #f, f, 0, 0 }
#define ALL(f) { #f, f, 1, 0 }
	ONE(pe_high), ONE(pe_negative), ONE(pe_get), ONE(pe_amo),
	ONE(pe_signal), ONE(pe_zero_length), ONE(pe_quiet), ONE(stack_dest),
	ONE(malloc_source), ONE(null_dest), ONE(stack_amo), ONE(stack_wait),
	ONE(stack_lock), ONE(stack_signal), ONE(past_end),
	ONE(past_end_strided), ONE(size_overflow), { "freed", freed, 0, 1 },
	ONE(overlap), ONE(misaligned), ONE(misaligned_signal), ONE(bad_cmp),
	ONE(bad_cmp_test), ONE(bad_sig_op),
	{ "double_free", double_free, 1, 1 }, ALL(free_middle),
	ALL(free_static), { "realloc_freed", realloc_freed, 1, 1 },
	ONE(ctx_invalid), ONE(clear_unheld), ALL(coll_routine),
	ALL(coll_count), ALL(coll_root), ALL(coll_root_high), ALL(coll_stack),
	ALL(coll_overlap), ALL(coll_type), ALL(active_set),
};

static void before_or_after(const char *name)
{
	if (!strcmp(name, "before_my_pe"))
		shmem_my_pe();
	if (!strcmp(name, "before_put"))
		shmem_long_p(variable, 1, 0);
	if (!strcmp(name, "before_malloc"))
		shmem_malloc(8);
	if (!strcmp(name, "before_barrier"))
		shmem_barrier_all();
	if (!strcmp(name, "before_ctx"))
		shmem_ctx_quiet(SHMEM_CTX_DEFAULT);
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	if (strncmp(name, "after_", 6))
		return;
	shmem_finalize();
	if (!strcmp(name, "after_n_pes"))
		shmem_n_pes();
	if (!strcmp(name, "after_get"))
		shmem_long_g(variable, 0);
	if (!strcmp(name, "after_team"))
		shmem_team_my_pe(SHMEM_TEAM_WORLD);
	if (!strcmp(name, "after_lock"))
		shmem_set_lock(variable);
	if (!strcmp(name, "after_reduce"))
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, variable, source, 1);
	exit(66);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	before_or_after(name);
	heap = shmem_malloc(100 * sizeof(*heap));
	shmem_malloc(64);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (strcmp(name, cases[i].name))
			continue;
		if (cases[i].free_first)
			shmem_free(heap);
		if (cases[i].all || me == 0)
			cases[i].act();
	}
	shmem_barrier_all();
	fprintf(stderr, "%s went unnoticed\n", name);
	exit(66);
}
