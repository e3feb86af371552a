/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work for the NIC comes before that for near members, which fills the wait for
 * it: when PE 0's kernels first touch a near member's dest, which is locked,
 * the NIC was told of what goes to far ones. Run by order.sh.
 */
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../moe/unit.h"
#include <shmem/device.h>

enum { BLOCK = 1 << 17, PAGE = 4096, TABLES = 4 };

struct call {
	char *dest, *source;
	size_t bytes;
	size_t *tables; /* lengths and offsets of alltoallv */
	int varies;
};

/* Of no bytes it only meets. */
SHMEMX_KERNEL(call, struct call, a)
{
	const size_t *t = a.tables, n = (size_t)shmem_n_pes();

	if (a.varies)
		shmemx_char_alltoallv_wg(SHMEM_TEAM_WORLD, a.dest, t, t + n,
					 a.source, t + 2 * n, t + 3 * n);
	else if (a.bytes)
		shmemx_alltoallmem_wg(SHMEM_TEAM_WORLD, a.dest, a.source,
				      a.bytes);
	else
		shmemx_sync_all_wg();
}

static struct {
	char *at;
	size_t bytes;
	volatile uint64_t told;
	volatile sig_atomic_t touched;
} lock;

/* Places of all queues to far PEs that NICs were told of. */
static uint64_t told(void)
{
	const uint32_t n = shmemd_block.gda.n_queues;
	const struct shmemd_gda_row *row =
		gda_row((uintptr_t)SHMEM_CTX_DEFAULT);
	uint64_t sum = 0;

	for (size_t i = 0; row && i < (size_t)gpu_n * n; i++) {
		const struct shmemd_gda_queue *q =
			gda_queue_found(&row->words[i]);

		sum += q ? shmemd_load64(&q->rung) : 0;
	}
	return sum;
}

static void touched(int signal, siginfo_t *info, void *context)
{
	const char *at = info->si_addr;

	(void)context;
	if (at < lock.at || at >= lock.at + lock.bytes)
		_exit(128 + signal);
	mprotect(lock.at, lock.bytes, PROT_READ | PROT_WRITE);
	lock.told = told();
	lock.touched = 1;
}

/* The whole pages of what is PE 1's at mine. */
static void lock_near(char *mine, size_t bytes)
{
	const uintptr_t at = (uintptr_t)shmem_ptr(mine, 1);
	const uintptr_t first = (at + PAGE - 1) & ~(uintptr_t)(PAGE - 1);

	lock.at = (char *)first;
	lock.bytes = (at + bytes - first) & ~(size_t)(PAGE - 1);
	lock.touched = 0;
	if (gpu_me == 0)
		GPU_CHECK_EQ(mprotect(lock.at, lock.bytes, PROT_NONE), 0);
}

static uint64_t launch(const struct call *c)
{
	const uint64_t before = told();

	shmem_barrier_all();
	GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(call), 1, 64, c,
				   sizeof(*c), NULL),
		     0);
	gpu_sync();
	shmem_barrier_all();
	return told() - before;
}

static void tables(const struct gpu_mem *m, size_t bytes)
{
	size_t *t = (size_t *)(void *)m->host;

	for (size_t i = 0; i < (size_t)gpu_n; i++) {
		t[i] = t[2 * (size_t)gpu_n + i] = bytes;
		t[(size_t)gpu_n + i] = t[3 * (size_t)gpu_n + i] = i * bytes;
	}
	gpu_mem_push(m, m->bytes);
}

/* What only meets tells of so much; with data it is more, before all else. */
static void test_collective(int varies)
{
	const size_t all = (size_t)gpu_n * BLOCK;
	struct gpu_mem dest = gpu_mem_new(all), source = gpu_mem_new(all);
	struct gpu_mem t = gpu_mem_new(TABLES * (size_t)gpu_n * sizeof(size_t));
	struct call c = { dest.dev, source.dev, 0, (size_t *)(void *)t.dev,
			  varies };
	uint64_t meets, before;

	tables(&t, 0);
	launch(&c);
	meets = launch(&c);
	tables(&t, BLOCK);
	c.bytes = BLOCK;
	launch(&c);
	lock_near(dest.dev, BLOCK);
	before = told();
	launch(&c);
	if (gpu_me == 0) {
		GPU_CHECK(lock.touched);
		GPU_CHECK(meets > 0);
		GPU_CHECK(lock.told >= before + meets + 1);
	}
	gpu_mem_free(&t);
	gpu_mem_free(&source);
	gpu_mem_free(&dest);
}

static void test_moe(void)
{
	struct shmemx_moe_config c = unit_config(SHMEMX_MOE_COMPACT);
	const struct oracle_case full = { .salt = gpu_seed,
					  .tokens = TOKENS_FULL };
	uint64_t before;
	struct unit u;
	struct layer l;

	c.hidden = 4096;
	c.max_tokens = 45;
	unit_open(&u, &c, NULL);
	layer_open(&u, &l);
	layer_make(&u, &l, &full);
	unit_forward(&u, &l);
	layer_remake(&u, &l, gpu_seed + 1);
	dispatch_before(&u, &l);
	shmem_barrier_all();
	lock_near(u.rows.dev, u.rows.bytes);
	before = told();
	dispatch_put(&u, &l, 1);
	dispatch_after(&u, &l);
	if (gpu_me == 0) {
		GPU_CHECK(lock.touched);
		GPU_CHECK(lock.told > before);
	}
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	const struct sigaction action = { .sa_sigaction = touched,
					  .sa_flags = SA_SIGINFO };

	gpu_begin();
	sigaction(SIGSEGV, &action, NULL);
	test_collective(0);
	test_collective(1);
	test_moe();
	return gpu_end();
}
