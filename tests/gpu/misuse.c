/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the mistake that its argument names, in a kernel on the last PE, with
 * many work-items, most of which go on; the next host call must not return. Or
 * in a call for a stream, which must not.
 * Run by misuse.sh.
 */
#include "common.h"
#include <shmem/device.h>
#include <shmem/stream.h>

#define MISTAKES(X) \
	X(none) \
	X(pe_high) \
	X(pe_negative_wg) \
	X(pe_amo) \
	X(pe_signal_wave) \
	X(pe_ctx) \
	X(local_dest) \
	X(local_amo) \
	X(past_end) \
	X(misaligned) \
	X(team_invalid_number) \
	X(team_destroyed) \
	X(ctx_destroyed) \
	X(ctx_of_gone_team) \
	X(ctx_invalid) \
	X(bad_cmp) \
	X(waits_in_vain) \
	X(host_in_barrier) \
	X(bad_root) \
	X(collect_in_place) \
	X(counts_small) \
	X(counts_large) \
	X(counts_mixed) \
	X(counts_grid) \
	X(rows_beyond) \
	X(stream_no_team) \
	X(stream_collect_in_place) \
	X(stream_put_null) \
	X(stream_get_null) \
	X(stream_put_signal_null)
#define NUMBER(name) MISTAKE_##name,
#define NAME(name) #name,

enum mistake { MISTAKES(NUMBER) N_MISTAKES };

struct wrong {
	int mistake, n;
	int below, above; /* not constants, which compilers see through */
	long *symmetric, *local;
	shmem_team_t gone_team;
	shmem_ctx_t gone_ctx;
	shmem_ctx_t *made; /* by a kernel, on a team that is gone */
};

SHMEMX_FN void in_group(const struct wrong *w)
{
	if (w->mistake == MISTAKE_pe_negative_wg)
		shmemx_long_put_wg(w->symmetric, w->local, 1, w->below);
	if (w->mistake == MISTAKE_pe_signal_wave)
		shmemx_putmem_signal_wave(w->symmetric, w->local, 8,
					  (uint64_t *)w->symmetric, 1,
					  SHMEM_SIGNAL_SET, w->n);
	if (w->mistake == MISTAKE_team_destroyed)
		shmemx_team_sync_wg(w->gone_team);
	if (w->mistake == MISTAKE_bad_root && shmemx_wg() == 0)
		shmemx_long_broadcast_wg(SHMEM_TEAM_WORLD, w->symmetric,
					 w->symmetric, 1, w->n);
	if (w->mistake == MISTAKE_collect_in_place && shmemx_wg() == 0)
		shmemx_long_collect_wg(SHMEM_TEAM_WORLD, w->symmetric,
				       w->symmetric, 1);
}

SHMEMX_FN void by_one(const struct wrong *w)
{
	switch (w->mistake) {
	case MISTAKE_pe_high:
		shmem_long_p(w->symmetric, 1, w->n);
		break;
	case MISTAKE_pe_amo:
		shmem_long_atomic_inc(w->symmetric, w->below);
		break;
	case MISTAKE_pe_ctx:
		shmem_ctx_long_g(SHMEM_CTX_DEFAULT, w->symmetric, w->above);
		break;
	case MISTAKE_local_dest:
		shmem_long_put(w->local, w->symmetric, 1, 0);
		break;
	case MISTAKE_local_amo:
		shmem_long_atomic_fetch_add(w->local, 1, 0);
		break;
	case MISTAKE_past_end:
		shmem_putmem(w->symmetric, w->local, (size_t)1 << 50, 0);
		break;
	case MISTAKE_misaligned:
		shmem_long_atomic_inc((long *)((char *)w->symmetric + 4), 0);
		break;
	case MISTAKE_team_invalid_number:
		shmem_team_sync((shmem_team_t)(uintptr_t)77);
		break;
	case MISTAKE_ctx_destroyed:
		shmem_ctx_long_p(w->gone_ctx, w->symmetric, 1, 0);
		break;
	case MISTAKE_ctx_invalid:
		shmem_ctx_long_atomic_inc(SHMEM_CTX_INVALID, w->symmetric, 0);
		break;
	case MISTAKE_bad_cmp:
		shmem_long_wait_until(w->symmetric, 42, 1);
		break;
	case MISTAKE_ctx_of_gone_team:
		shmem_ctx_long_p(*w->made, w->symmetric, 1, 0);
		break;
	case MISTAKE_waits_in_vain:
	case MISTAKE_host_in_barrier:
		shmem_long_p(w->symmetric, 1, w->n);
		break;
	default:
		break;
	}
}

/* Two work-groups; in the second, work-item 5 of the first wave is wrong. */
SHMEMX_KERNEL(mistaken, struct wrong, w)
{
	if (w.mistake == MISTAKE_waits_in_vain && shmemx_item() != 5)
		shmem_long_wait_until(w.symmetric + 1, SHMEM_CMP_EQ, 1);
	if (shmemx_wg() == 1 && shmemx_item() == 5)
		by_one(&w);
	in_group(&w);
}

SHMEMX_KERNEL(makes_ctx, struct wrong, w)
{
	shmem_team_create_ctx(w.gone_team, 0, w.made);
}

/* A peer's kernel waits for what the one that is wrong does not send. */
SHMEMX_KERNEL(waits, struct wrong, w)
{
	shmem_long_wait_until(w.symmetric, SHMEM_CMP_EQ, 1);
}

/* Exchanges whose last PE expects, or has room for, what does not come. */
struct exchange {
	int mistake, n;
	char *dest, *source;
	size_t *dest_nelems, *source_nelems, *zero;
	size_t dest_rows;
};

SHMEMX_KERNEL(exchanges, struct exchange, x)
{
	if (x.mistake == MISTAKE_counts_grid)
		shmemx_alltoallvmem_grid(SHMEM_TEAM_WORLD, x.dest,
					 x.dest_nelems, x.zero, x.source,
					 x.source_nelems, x.zero);
	if (x.mistake == MISTAKE_rows_beyond)
		shmemx_alltoallv_2d_grid(SHMEM_TEAM_WORLD, x.dest, x.source, 8,
					 1, 1, x.dest_rows, x.source_nelems,
					 x.dest_nelems, x.zero);
	if (shmemx_wg())
		return;
	if (x.mistake == MISTAKE_counts_small ||
	    x.mistake == MISTAKE_counts_mixed)
		shmemx_alltoallvmem_wg(SHMEM_TEAM_WORLD, x.dest, x.dest_nelems,
				       x.zero, x.source, x.source_nelems,
				       x.zero);
	if (x.mistake == MISTAKE_counts_large &&
	    shmemx_item() < shmemx_wave_size())
		shmemx_alltoallvmem_wave(SHMEM_TEAM_WORLD, x.dest,
					 x.dest_nelems, x.zero, x.source,
					 x.source_nelems, x.zero);
}

/* All blocks are of PE 0's to the last. */
static void exchange_counts(const struct exchange *x)
{
	const int small = x->mistake == MISTAKE_counts_small;
	const int mixed = x->mistake == MISTAKE_counts_mixed;
	const int rows = x->mistake == MISTAKE_rows_beyond;
	size_t source = small ? 5 : rows ? 2 : 20000;
	size_t dest = small || mixed ? 7 : 30000;
	const size_t nothing = 0;

	for (int i = 0; i < x->n; i++) {
		const int last = i == x->n - 1;

		shmemx_memcpy(x->source_nelems + i,
			      last && shmem_my_pe() == 0 ? &source : &nothing,
			      sizeof(source));
		shmemx_memcpy(x->dest_nelems + i,
			      i == 0 && shmem_my_pe() == x->n - 1 ? &dest :
								    &nothing,
			      sizeof(dest));
		shmemx_memcpy(x->zero + i, &nothing, sizeof(nothing));
	}
}

static void exchange(int mistake)
{
	const size_t words = (size_t)shmem_n_pes() * sizeof(size_t);
	struct exchange x;

	x.mistake = mistake;
	x.n = shmem_n_pes();
	x.dest = (char *)shmem_malloc(65536);
	x.source = (char *)shmem_malloc(65536);
	x.dest_nelems = (size_t *)shmemx_device_alloc(words);
	x.source_nelems = (size_t *)shmemx_device_alloc(words);
	x.zero = (size_t *)shmemx_device_alloc(words);
	x.dest_rows = 1;
	exchange_counts(&x);
	shmem_barrier_all();
	shmemx_launch(SHMEMX_KERNEL_REF(exchanges), 2, 64, &x, sizeof(x), NULL);
}

static int number_of(const char *name)
{
	static const char *const names[] = { MISTAKES(NAME) };

	for (int i = 0; i < N_MISTAKES; i++)
		if (!strcmp(name, names[i]))
			return i;
	fprintf(stderr, "no mistake named %s\n", name);
	return -1;
}

/* The host's mistakes. */
static void put_on_stream(const struct wrong *w)
{
	long *nothing = NULL;

	switch (w->mistake) {
	case MISTAKE_stream_no_team:
		shmemx_team_sync_on_stream((shmem_team_t)(uintptr_t)99, NULL);
		break;
	case MISTAKE_stream_collect_in_place:
		shmemx_long_collect_on_stream(SHMEM_TEAM_WORLD, w->symmetric,
					      w->symmetric, 1, NULL);
		break;
	case MISTAKE_stream_put_null:
		shmemx_long_put_on_stream(w->symmetric, nothing, 1, 0, NULL);
		break;
	case MISTAKE_stream_get_null:
		shmemx_long_get_on_stream(nothing, w->symmetric, 1, 0, NULL);
		break;
	case MISTAKE_stream_put_signal_null:
		shmemx_long_put_signal_on_stream(w->symmetric, nothing, 1,
						 (uint64_t *)w->symmetric, 1,
						 SHMEM_SIGNAL_SET, 0, NULL);
		break;
	default:
		break;
	}
}

static void make(int mistake)
{
	struct wrong w;

	memset(&w, 0, sizeof(w));
	w.mistake = mistake;
	w.n = shmem_n_pes();
	w.below = -3;
	w.above = 1000;
	w.symmetric = (long *)shmem_calloc(2, sizeof(long));
	w.local = (long *)shmemx_device_alloc(64);
	shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, w.n, NULL, 0,
				 &w.gone_team);
	w.made = (shmem_ctx_t *)shmemx_device_alloc(sizeof(*w.made));
	shmemx_launch(SHMEMX_KERNEL_REF(makes_ctx), 1, 1, &w, sizeof(w), NULL);
	shmemx_stream_synchronize(NULL);
	shmem_team_destroy(w.gone_team);
	if (mistake == MISTAKE_ctx_of_gone_team)
		shmem_team_split_strided(SHMEM_TEAM_WORLD, w.n - 1, -1, w.n,
					 NULL, 0, &w.gone_team);
	if (shmem_ctx_create(0, &w.gone_ctx))
		fprintf(stderr, "no context\n");
	shmem_ctx_destroy(w.gone_ctx);
	shmem_barrier_all();
	if (shmem_my_pe() == w.n - 1)
		put_on_stream(&w);
	if (mistake >= MISTAKE_counts_small && mistake <= MISTAKE_rows_beyond)
		exchange(mistake);
	else if (shmem_my_pe() == w.n - 1)
		shmemx_launch(SHMEMX_KERNEL_REF(mistaken), 2, 64, &w,
			      sizeof(w), NULL);
	else if (mistake == MISTAKE_host_in_barrier)
		shmemx_launch(SHMEMX_KERNEL_REF(waits), 1, 1, &w, sizeof(w),
			      NULL);
	if (mistake != MISTAKE_host_in_barrier || shmem_my_pe() < w.n - 1)
		shmemx_stream_synchronize(NULL);
	shmem_barrier_all();
	shmemx_stream_synchronize(NULL);
	shmem_barrier_all();
	if (mistake != MISTAKE_none)
		fprintf(stderr, "unnoticed\n");
}

int main(int argc, char **argv)
{
	const int mistake = argc > 1 ? number_of(argv[1]) : -1;

	if (mistake < 0)
		return 2;
	shmem_init();
	make(mistake);
	shmem_finalize();
	return 0;
}
