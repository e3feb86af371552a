/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What kernels ask: who they are, which memory and PEs they reach, teams; and
 * contexts that they make, use and destroy.
 * PES: all
 */
#include "call.h"

enum { ITEMS = 64, ANSWERS = 12 };

/* As struct gpu_call: dest is symmetric, source is not, counts the answers. */
SHMEMX_KERNEL(ask, struct gpu_call, a)
{
	const struct gpu_call c = gpu_group(a, SHMEMD_THREAD);
	size_t *got = a.counts + gpu_my_item() * ANSWERS;

	got[0] = (size_t)shmem_my_pe();
	got[1] = (size_t)shmem_n_pes();
	got[2] = (size_t)shmem_pe_accessible(c.pe);
	got[3] = (size_t)shmem_pe_accessible(-1) +
		 (size_t)shmem_pe_accessible(c.n);
	got[4] = (size_t)shmem_addr_accessible(c.dest, c.pe);
	got[5] = (size_t)shmem_addr_accessible(c.source, c.pe);
	got[6] = (size_t)shmem_team_my_pe(c.team);
	got[7] = (size_t)shmem_team_n_pes(c.team);
	got[8] = (size_t)shmem_team_translate_pe(c.team, c.pe,
						 SHMEM_TEAM_WORLD);
	got[9] = (size_t)shmem_team_my_pe(SHMEM_TEAM_INVALID);
	got[10] = shmem_ptr(c.source, c.pe) == NULL;
	got[11] = shmem_ptr(c.dest, c.me) == c.dest;
}

/* shmem_ptr is for stores, if it is not NULL. */
SHMEMX_KERNEL(store, struct gpu_call, a)
{
	const struct gpu_call c = gpu_group(a, SHMEMD_THREAD);
	long *by_world = (long *)shmem_ptr(c.dest, c.pe);
	long *by_team = (long *)shmem_team_ptr(c.team, c.dest, c.n - 1 - c.pe);

	*c.counts = by_world == by_team ? 0 : 100;
	if (by_world)
		*(volatile long *)by_world = (long)c.signal;
	else
		shmem_long_p((long *)c.dest, (long)c.signal, c.pe);
	shmem_quiet();
}

SHMEMX_FN size_t ctx_errors(const struct gpu_call *c, shmem_ctx_t ctx,
			    shmem_team_t team)
{
	shmem_ctx_session_config_t config;
	shmem_team_t got = SHMEM_TEAM_INVALID;
	size_t errors = 0;

	config.total_ops = 4;
	errors += shmem_ctx_get_team(ctx, &got) != 0 || got != team;
	shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config,
				SHMEM_CTX_SESSION_TOTAL_OPS);
	shmem_ctx_long_p(ctx, (long *)c->dest, (long)c->signal, c->pe);
	shmem_ctx_session_stop(ctx);
	shmem_ctx_quiet(ctx);
	errors += shmem_ctx_long_g(ctx, (long *)c->dest, c->pe) !=
		  (long)c->signal;
	shmem_ctx_destroy(ctx);
	return errors;
}

/* Each work-item its own context; numbers of PEs are those of its team. */
SHMEMX_KERNEL(contexts, struct gpu_call, a)
{
	struct gpu_call c = gpu_group(a, SHMEMD_THREAD);
	shmem_ctx_t ctx = SHMEM_CTX_INVALID;

	*c.counts = 0;
	if (shmem_ctx_create(0, &ctx))
		*c.counts += 1000;
	else
		*c.counts += ctx_errors(&c, ctx, SHMEM_TEAM_WORLD);
	c.pe = c.n - 1 - c.pe;
	c.signal++;
	if (shmem_team_create_ctx(c.team, SHMEM_CTX_PRIVATE, &ctx))
		*c.counts += 1000;
	else
		*c.counts += ctx_errors(&c, ctx, c.team);
	if (!shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx))
		*c.counts += 10;
	if (!shmem_ctx_get_team(SHMEM_CTX_INVALID, &c.team))
		*c.counts += 20;
}

static struct gpu_mem words, counts;

static void launched(int error)
{
	GPU_CHECK_EQ(error, 0);
	gpu_sync();
	gpu_mem_pull(&counts, counts.bytes);
}

/* What the host says, in the order of `ask`. */
static void expect(size_t *want, const struct gpu_call *c, size_t g)
{
	const int pe = (int)(((size_t)c->pe + g) % (size_t)gpu_n);

	want[0] = (size_t)gpu_me;
	want[1] = (size_t)gpu_n;
	want[2] = (size_t)shmem_pe_accessible(pe);
	want[3] = 0;
	want[4] = (size_t)shmem_addr_accessible(c->dest, pe);
	want[5] = 0;
	want[6] = (size_t)shmem_team_my_pe(c->team);
	want[7] = (size_t)gpu_n;
	want[8] = (size_t)(gpu_n - 1 - pe);
	want[9] = (size_t)shmem_team_my_pe(SHMEM_TEAM_INVALID);
	want[10] = 1;
	want[11] = 1;
}

static void test_ask(struct gpu_call *c)
{
	size_t want[ANSWERS];
	char *local = (char *)shmemx_device_alloc(64);

	c->source = local;
	launched(shmemx_launch(SHMEMX_KERNEL_REF(ask), 1, ITEMS, c, sizeof(*c),
			       NULL));
	for (size_t g = 0; g < ITEMS; g++) {
		expect(want, c, g);
		for (size_t i = 0; i < ANSWERS; i++)
			if (((size_t *)counts.host)[g * ANSWERS + i] != want[i])
				gpu_fail("item %zu, answer %zu: %zd, not %zd",
					 g, i,
					 ((ssize_t *)counts.host)[g * ANSWERS +
								  i],
					 (ssize_t)want[i]);
	}
	shmemx_device_free(local);
}

static void check_words(struct gpu_call *c, uint64_t value)
{
	const long *got = (const long *)words.host;

	shmem_barrier_all();
	gpu_mem_pull(&words, words.bytes);
	for (int from = 0; from < gpu_n; from++)
		for (size_t g = 0; g < ITEMS; g++) {
			const size_t to = ((size_t)from + 1 + g) %
					  (size_t)gpu_n;

			if ((int)to != gpu_me)
				continue;
			GPU_CHECK_EQ(got[(size_t)from * ITEMS + g],
				     (long)value);
		}
	for (size_t g = 0; g < ITEMS; g++)
		GPU_CHECK_EQ(((size_t *)counts.host)[g], 0);
	shmem_barrier_all();
	c->signal += 100;
}

int main(void)
{
	static const char *const asked[] = {
		"shmem_my_pe", "shmem_n_pes", "shmem_pe_accessible",
		"shmem_addr_accessible", "shmem_ptr", "shmem_team_ptr",
		"shmem_team_my_pe", "shmem_team_n_pes",
		"shmem_team_translate_pe", "shmem_ctx_create",
		"shmem_team_create_ctx", "shmem_ctx_destroy",
		"shmem_ctx_get_team", "shmem_ctx_session_start",
		"shmem_ctx_session_stop",
	};
	const struct gpu_row none = { "query", "query", SHMEMD_THREAD, 8,
				      's', 0, NULL };
	struct gpu_call c;

	gpu_begin();
	words = gpu_mem_new((size_t)gpu_n * ITEMS * sizeof(long));
	counts = gpu_mem_new(ITEMS * ANSWERS * sizeof(size_t));
	c = gpu_call_new(&none, (gpu_me + 1) % gpu_n);
	c.team = gpu_reversed;
	c.dest = words.dev + (size_t)gpu_me * ITEMS * sizeof(long);
	c.counts = (size_t *)counts.dev;
	c.signal = 7;
	test_ask(&c);
	c.slot = sizeof(long);
	launched(shmemx_launch(SHMEMX_KERNEL_REF(store), 1, ITEMS, &c,
			       sizeof(c), NULL));
	check_words(&c, 7);
	for (int i = 0; i < 20; i++) {
		launched(shmemx_launch(SHMEMX_KERNEL_REF(contexts), 1, ITEMS,
				       &c, sizeof(c), NULL));
		check_words(&c, 108 + (uint64_t)i * 100);
	}
	for (size_t i = 0; i < GPU_COUNT(asked); i++)
		gpu_called(asked[i]);
	return gpu_end();
}
