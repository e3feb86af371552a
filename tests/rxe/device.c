/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A little of everything that kernels do to a PE on another node, each to the
 * next: single elements, blocks of all sizes, signals, atomics of 8 and 4 bytes
 * from many work-items, and collectives.
 */
#include "../gpu/common.h"
#include <shmem/device.h>

enum { ITEMS = 16, BLOCK = 70001, BITS = 5 };

/* What the PE before writes, but for mine, which it reads. */
struct area {
	long p[ITEMS], sum, once, swapped, set, bits;
	int sum32, once32, set32;
	uint64_t put, added;
	char block[BLOCK + 8];
	char mine[BLOCK + 8];
};

/* What came back. */
struct back {
	long g[ITEMS], old[ITEMS], cswap, swap, fetched, bits;
	int old32[ITEMS];
	char block[BLOCK + 8];
};

struct work {
	struct area *area;
	struct back *back;
	long *all, *sum, *one;
	int next, round;
	size_t bytes;
};

SHMEMX_FN void single(const struct work *w)
{
	const int i = (int)shmemx_item();

	shmem_long_p(&w->area->p[i], 1000 * w->round + i, w->next);
	w->back->g[i] = shmem_long_g(&w->area->once, w->next);
	w->back->old[i] =
		shmem_long_atomic_fetch_add(&w->area->sum, 3, w->next);
	w->back->old32[i] =
		shmem_int_atomic_fetch_inc(&w->area->sum32, w->next);
	shmem_int_atomic_add(&w->area->once32, i, w->next);
}

SHMEMX_FN void atomics(const struct work *w)
{
	struct area *to = w->area;
	const long r = w->round;

	w->back->cswap =
		shmem_long_atomic_compare_swap(&to->swapped, r - 1, r, w->next);
	w->back->swap = shmem_long_atomic_swap(&to->set, r + 5, w->next);
	shmem_long_atomic_set(&to->set, r + 7, w->next);
	shmem_fence();
	w->back->fetched = shmem_long_atomic_fetch(&to->set, w->next);
	shmem_int_atomic_set(&to->set32, (int)r + 9, w->next);
	shmem_ulong_atomic_or((unsigned long *)&to->bits, 0x70, w->next);
	shmem_fence();
	shmem_ulong_atomic_and((unsigned long *)&to->bits, 0x3f, w->next);
	shmem_fence();
	w->back->bits = (long)shmem_ulong_atomic_fetch_xor(
		(unsigned long *)&to->bits, BITS, w->next);
}

SHMEMX_KERNEL(all, struct work, w)
{
	struct area *to = w.area;
	const uint64_t r = (uint64_t)w.round;

	single(&w);
	shmemx_putmem_wg(to->block + w.round, to->mine, w.bytes, w.next);
	if (!shmemx_item()) {
		atomics(&w);
		shmem_fence();
		shmem_putmem_signal(to->block, to->mine, 1, &to->put, r,
				    SHMEM_SIGNAL_SET, w.next);
		shmem_putmem_signal_nbi(to->block, to->mine, 1, &to->added, r,
					SHMEM_SIGNAL_ADD, w.next);
		shmem_signal_wait_until(&to->put, SHMEM_CMP_EQ, r);
		shmem_signal_wait_until(&to->added, SHMEM_CMP_GE,
					r * (r + 1) / 2);
	}
	shmemx_getmem_wg(w.back->block, to->mine + w.round, w.bytes, w.next);
	shmemx_quiet_wg();
	shmemx_barrier_all_wg();
	shmemx_long_alltoall_wg(SHMEM_TEAM_WORLD, w.all + shmem_n_pes(), w.all,
				1);
	shmemx_long_sum_reduce_wg(SHMEM_TEAM_WORLD, w.sum, w.one, 1);
}

static struct gpu_mem area, back, numbers;
static struct work work;

static void fill(void)
{
	struct area *a = (struct area *)area.host;
	long *n = (long *)numbers.host;

	memset(a, 0, sizeof(*a));
	memset(n, 0, numbers.bytes);
	a->once = 100 + gpu_me;
	gpu_bytes((unsigned char *)a->mine, sizeof(a->mine), 1, gpu_me, 0);
	for (int pe = 0; pe < gpu_n; pe++)
		n[pe] = 10 * gpu_me + pe;
	n[2 * gpu_n] = gpu_me + 1;
	gpu_mem_push(&area, area.bytes);
	gpu_mem_push(&numbers, numbers.bytes);
}

static void check_block(const char *what, const char *got, int pe, size_t from,
			size_t bytes)
{
	static unsigned char want[BLOCK];

	gpu_bytes(want, bytes, 1, pe, from);
	gpu_same(what, (const unsigned char *)got, want, bytes);
}

/* What the PE before has done here. */
static void check_area(const struct area *a, int prev, long r, size_t bytes)
{
	for (int i = 0; i < ITEMS; i++)
		GPU_CHECK_EQ(a->p[i], 1000 * r + i);
	GPU_CHECK_EQ(a->sum, 3 * ITEMS * r);
	GPU_CHECK_EQ(a->sum32, ITEMS * r);
	GPU_CHECK_EQ(a->once32, ITEMS * (ITEMS - 1) / 2 * r);
	GPU_CHECK_EQ(a->swapped, r);
	GPU_CHECK_EQ(a->set, r + 7);
	GPU_CHECK_EQ(a->set32, r + 9);
	GPU_CHECK_EQ(a->bits, r % 2 ? 0x35 : 0x30);
	GPU_CHECK_EQ(a->put, r);
	GPU_CHECK_EQ(a->added, r * (r + 1) / 2);
	check_block("put", a->block + r, prev, 0, bytes);
	check_block("put_signal", a->block, prev, 0, 1);
}

/* What I got from the next PE; of a sum, each its part in any order. */
static void check_back(const struct back *b, int next, long r, size_t bytes)
{
	long sum = 0, sum32 = 0;

	for (int i = 0; i < ITEMS; i++) {
		GPU_CHECK_EQ(b->g[i], 100 + next);
		sum += b->old[i] - 3 * ITEMS * (r - 1);
		sum32 += b->old32[i] - ITEMS * (r - 1);
	}
	GPU_CHECK_EQ(sum, 3 * ITEMS * (ITEMS - 1) / 2);
	GPU_CHECK_EQ(sum32, ITEMS * (ITEMS - 1) / 2);
	GPU_CHECK_EQ(b->cswap, r - 1);
	GPU_CHECK_EQ(b->swap, r > 1 ? r + 6 : 0);
	GPU_CHECK_EQ(b->fetched, r + 7);
	GPU_CHECK_EQ(b->bits, r % 2 ? 0x30 : 0x35);
	check_block("get", b->block, next, (size_t)r, bytes);
}

static void check_numbers(const long *n)
{
	for (int pe = 0; pe < gpu_n; pe++)
		GPU_CHECK_EQ(n[gpu_n + pe], 10 * pe + gpu_me);
	GPU_CHECK_EQ(n[2 * gpu_n + 1], gpu_n * (gpu_n + 1) / 2);
}

static void test(int round, size_t bytes)
{
	work.round = round;
	work.bytes = bytes;
	GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(all), 1, ITEMS, &work,
				   sizeof(work), NULL),
		     0);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(&area, area.bytes);
	gpu_mem_pull(&back, back.bytes);
	gpu_mem_pull(&numbers, numbers.bytes);
	check_area((struct area *)area.host, (gpu_me + gpu_n - 1) % gpu_n,
		   round, bytes);
	check_back((struct back *)back.host, work.next, round, bytes);
	check_numbers((long *)numbers.host);
	shmem_barrier_all();
}

int main(void)
{
	static const size_t sizes[] = { 1, 4097, BLOCK - 1 };

	gpu_begin();
	area = gpu_mem_new(sizeof(struct area));
	back = gpu_mem_new(sizeof(struct back));
	numbers = gpu_mem_new((2 * (size_t)gpu_n + 2) * sizeof(long));
	fill();
	work.area = (struct area *)area.dev;
	work.back = (struct back *)back.dev;
	work.all = (long *)numbers.dev;
	work.one = work.all + 2 * gpu_n;
	work.sum = work.one + 1;
	work.next = (gpu_me + 1) % gpu_n;
	shmem_barrier_all();
	for (int i = 0; i < (int)GPU_COUNT(sizes); i++)
		test(i + 1, sizes[i]);
	return gpu_end();
}
