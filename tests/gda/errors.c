/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * errors MODE [ERROR]: what a kernel of PE 0 sees when its NIC fails, by PE 1
 * or here; errors.sh says how, by NIC_FAULT. ERROR is what the context is to
 * say. Waits return, others go on, and finalize works.
 *
 *   fails    entries of one context fail, those of another don't; 0: none do
 *   all      those of all contexts fail, from now on
 *   default  those of the default context fail on all PEs, under collectives
 *            and MoE exchanges, which return
 *   stopped  PE 1 is stopped while PE 0 wants a queue to it
 *   unseen   no item looks at what the NIC completes for ERROR seconds, which
 *            fails nothing
 */
#include <signal.h>
#include <unistd.h>

#include "../moe/unit.h"
#include <shmem/device.h>

enum { WORDS = 32, BLOCK = 1 << 17, TABLES = 4 };

struct sends {
	shmem_ctx_t ctx;
	long *dest, *result;
	int pe;
};

/* What is fetched by a context that has failed is 0. */
SHMEMX_KERNEL(sends, struct sends, a)
{
	int i;

	if (shmemx_item())
		return;
	for (i = 0; i < WORDS; i++)
		shmem_ctx_long_p(a.ctx, a.dest + i, i + 1, a.pe);
	shmem_ctx_quiet(a.ctx);
	a.result[0] = shmemx_ctx_error(a.ctx);
	a.result[1] = shmem_ctx_long_g(a.ctx, a.dest + 1, a.pe);
	a.result[2] = shmem_ctx_long_atomic_fetch_inc(a.ctx, a.dest + 2, a.pe);
	shmem_ctx_putmem_nbi(a.ctx, a.dest + WORDS, a.result,
			     WORDS * sizeof(long), a.pe);
	shmem_ctx_quiet(a.ctx);
	a.result[3] = shmemx_ctx_error(a.ctx);
}

SHMEMX_KERNEL(posts, struct sends, a)
{
	if (shmemx_item() == 0)
		shmem_ctx_long_p(a.ctx, a.dest, 1, a.pe);
}

static struct gpu_mem dest, result;

static const long *send(shmem_ctx_t ctx)
{
	struct sends a = { ctx, (long *)dest.dev, (long *)result.dev,
			   gpu_n - 1 };

	gpu_mem_fill(&result, 0xff, result.bytes);
	GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(sends), 1, 1, &a,
				   sizeof(a), NULL),
		     0);
	gpu_sync();
	gpu_mem_pull(&result, result.bytes);
	return (const long *)result.host;
}

static void check_works(shmem_ctx_t ctx)
{
	const long *got = send(ctx);
	char text[8];

	GPU_CHECK_EQ(got[0], 0);
	GPU_CHECK_EQ(got[1], 2);
	GPU_CHECK_EQ(got[2], 3);
	GPU_CHECK_EQ(got[3], 0);
	GPU_CHECK_EQ(shmemx_ctx_error(ctx), 0);
	GPU_CHECK_EQ(shmemx_ctx_error_message(ctx, text, sizeof(text)), 0);
	GPU_CHECK_EQ(text[0], 0);
}

static void check_fails(shmem_ctx_t ctx, int want)
{
	const long *got = send(ctx);
	char text[512];

	GPU_CHECK_EQ(got[0], want);
	GPU_CHECK_EQ(got[1], 0);
	GPU_CHECK_EQ(got[2], 0);
	GPU_CHECK_EQ(got[3], want);
	GPU_CHECK_EQ(shmemx_ctx_error(ctx), want);
	GPU_CHECK(shmemx_ctx_error_message(ctx, text, sizeof(text)) > 0);
	printf("%s\n", text);
	/* Of a whole port it names no PE. */
	if (!strstr(text, "port"))
		GPU_CHECK(strstr(text, "PE 1"));
	GPU_CHECK(strstr(text, ":1"));
	/* Again, now that it is known to have failed. */
	got = send(ctx);
	GPU_CHECK_EQ(got[0], want);
	GPU_CHECK_EQ(got[1], 0);
}

static void fails(int want)
{
	shmem_ctx_t ctx, other, again;

	GPU_CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
	GPU_CHECK_EQ(shmem_ctx_create(0, &other), 0);
	if (gpu_me == 0 && want) {
		check_fails(ctx, want);
		check_works(other);
	} else if (gpu_me == 0) {
		check_works(ctx);
	}
	shmem_ctx_destroy(ctx);
	/* Its handle is new again. */
	GPU_CHECK_EQ(shmem_ctx_create(0, &again), 0);
	GPU_CHECK(again == ctx);
	if (gpu_me == 0)
		check_works(again);
	shmem_ctx_destroy(again);
	shmem_ctx_destroy(other);
}

static void all_fail(int want)
{
	shmem_ctx_t ctx;

	GPU_CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
	if (gpu_me == 0)
		check_fails(ctx, want);
}

/* Its own NIC goes on: whoever asks for one more queue gets none. */
static void stopped(int want)
{
	pid_t *pid = (pid_t *)shmem_malloc(sizeof(*pid));
	shmem_ctx_t ctx;

	GPU_CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
	*pid = getpid();
	shmem_barrier_all();
	if (gpu_me == 0) {
		pid_t peer;

		shmem_getmem(&peer, pid, sizeof(peer), 1);
		kill(peer, SIGSTOP);
		check_fails(ctx, want);
		kill(peer, SIGCONT);
	}
	shmem_barrier_all();
	shmem_free(pid);
}

static void unseen(unsigned int seconds)
{
	struct sends a = { SHMEM_CTX_INVALID, (long *)dest.dev, NULL,
			   gpu_n - 1 };

	GPU_CHECK_EQ(shmem_ctx_create(0, &a.ctx), 0);
	if (gpu_me == 0) {
		GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(posts), 1, 1, &a,
					   sizeof(a), NULL),
			     0);
		gpu_sync();
		sleep(seconds);
		check_works(a.ctx);
	}
	shmem_ctx_destroy(a.ctx);
}

struct collectives {
	char *dest, *source;
	size_t *tables; /* lengths and offsets of alltoallv */
};

/* Each small and large; collect has places by lengths that nobody tells. */
SHMEMX_KERNEL(collectives, struct collectives, a)
{
	const shmem_team_t team = SHMEM_TEAM_WORLD;
	const size_t *t = a.tables, n = (size_t)shmem_n_pes();
	size_t bytes = 8;

	shmemx_sync_all_grid();
	for (; bytes <= BLOCK; bytes *= BLOCK / 8) {
		if (shmemx_wg() == 0) {
			shmemx_alltoallmem_wg(team, a.dest, a.source, bytes);
			shmemx_broadcastmem_wg(team, a.dest, a.source, bytes,
					       (int)n - 1);
			shmemx_collectmem_wg(team, a.dest, a.source, bytes);
			shmemx_char_sum_reduce_wg(team, a.dest, a.source,
						  bytes);
			shmemx_char_alltoallv_wg(team, a.dest, t, t + n,
						 a.source, t + 2 * n,
						 t + 3 * n);
			t += TABLES * n;
		}
		shmemx_barrier_all_grid();
		shmemx_alltoallmem_grid(team, a.dest, a.source, bytes);
	}
}

static void tables(const struct gpu_mem *m)
{
	size_t *t = (size_t *)(void *)m->host, n = (size_t)gpu_n;

	for (size_t i = 0; i < 2 * TABLES * n; i++) {
		const size_t bytes = i < TABLES * n ? 8 : BLOCK;

		t[i] = i / n % 2 ? i % n * bytes : bytes;
	}
	gpu_mem_push(m, m->bytes);
}

static void exchange(void)
{
	const struct shmemx_moe_config c = unit_config(SHMEMX_MOE_COMPACT);
	const struct oracle_case full = { .salt = gpu_seed,
					  .tokens = TOKENS_FULL };
	struct unit u;
	struct layer l;

	unit_open(&u, &c, NULL);
	layer_open(&u, &l);
	layer_make(&u, &l, &full);
	dispatch_before(&u, &l);
	dispatch_put(&u, &l, 0);
	combine_before(&u, &l);
	combine_put(&u, &l);
	gpu_sync();
	shmem_barrier_all();
	layer_close(&l);
	unit_close(&u);
}

static void default_fails(int want)
{
	struct gpu_mem to = gpu_mem_new((size_t)gpu_n * BLOCK);
	struct gpu_mem from = gpu_mem_new((size_t)gpu_n * BLOCK);
	struct gpu_mem t =
		gpu_mem_new(2 * TABLES * (size_t)gpu_n * sizeof(size_t));
	const struct collectives a = { to.dev, from.dev,
				       (size_t *)(void *)t.dev };

	tables(&t);
	for (int i = 0; i < 3; i++) {
		GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(collectives), 2,
					   64, &a, sizeof(a), NULL),
			     0);
		gpu_sync();
		GPU_CHECK_EQ(shmemx_ctx_error(SHMEM_CTX_DEFAULT), want);
	}
	exchange();
	GPU_CHECK_EQ(shmemx_ctx_error(SHMEM_CTX_DEFAULT), want);
	gpu_mem_free(&t);
	gpu_mem_free(&from);
	gpu_mem_free(&to);
}

int main(int argc, char **argv)
{
	const int want = argc > 2 ? atoi(argv[2]) : 0;

	if (argc < 2)
		return 2;
	gpu_begin();
	dest = gpu_mem_new(2 * WORDS * sizeof(long));
	result = gpu_mem_new(WORDS * sizeof(long));
	shmem_barrier_all();
	if (!strcmp(argv[1], "stopped"))
		stopped(want);
	else if (!strcmp(argv[1], "default"))
		default_fails(want);
	else if (!strcmp(argv[1], "unseen"))
		unseen((unsigned int)want);
	else if (!strcmp(argv[1], "all"))
		all_fail(want);
	else
		fails(want);
	shmem_barrier_all();
	return gpu_end();
}
