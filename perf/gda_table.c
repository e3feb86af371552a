/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a quiet of kernels costs by the numbers of PEs that there are and that
 * the context has queues to: a model, on the CPU, of the tables that kernels
 * look at, with queues in which nothing is left. Prints one line a pair: PEs,
 * queues, nanoseconds, the best of some runs; and bytes of the context's table.
 */
#include <shmem/device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct shmemd_gda_row *rows[SHMEMD_ALL_CTXS];
static struct shmemd_gda_failure failures[SHMEMD_ALL_CTXS];
static uint32_t failed[SHMEMD_ALL_CTXS];

static size_t row_bytes(int n_pes)
{
	return sizeof(struct shmemd_gda_row) + 2 * (size_t)n_pes * 8;
}

static struct shmemd_gda_row *row_new(int n_pes, int n_queues)
{
	struct shmemd_gda_row *row = calloc(1, row_bytes(n_pes));
	struct shmemd_gda_queue *queues =
		calloc((size_t)n_queues, sizeof(*queues));

	if (!row || !queues)
		exit(1);
	for (int i = 0; i < n_queues; i++) {
		const uint64_t word = (uint64_t)(uintptr_t)&queues[i];

		queues[i].format = SHMEMD_GDA_VERBS;
		row->words[i * (n_pes / n_queues)] = word;
		row->words[n_pes + i] = word;
	}
	row->n_connected = (uint64_t)n_queues;
	return row;
}

static void tell(int n_pes, struct shmemd_gda_row *row)
{
	memset(&shmemd_block, 0, sizeof(shmemd_block));
	shmemd_block.n_pes = n_pes;
	shmemd_block.n_far = (uint32_t)n_pes;
	shmemd_block.gda.format = SHMEMD_GDA_VERBS;
	shmemd_block.gda.n_queues = 1;
	shmemd_block.gda.atomics = 1;
	shmemd_block.gda.rows = rows;
	shmemd_block.gda.failures = failures;
	shmemd_block.gda.failed = failed;
	rows[(uintptr_t)SHMEM_CTX_DEFAULT] = row;
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double quiet_ns(void)
{
	enum { QUIETS = 1000 };
	double best = 1e18;

	for (int run = 0; run < 20; run++) {
		const double begin = now_ns();
		double ns;

		for (int i = 0; i < QUIETS; i++)
			far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
		ns = (now_ns() - begin) / QUIETS;
		best = ns < best ? ns : best;
	}
	return best;
}

int main(void)
{
	static const int pes[] = { 2, 64, 4096 };
	static const int queues[] = { 1, 2, 64, 4096 };

	puts("PEs\tqueues\tquiet, ns\ttable, bytes");
	for (size_t p = 0; p < sizeof(pes) / sizeof(pes[0]); p++)
		for (size_t q = 0; q < sizeof(queues) / sizeof(queues[0]);
		     q++) {
			if (queues[q] > pes[p])
				continue;
			tell(pes[p], row_new(pes[p], queues[q]));
			printf("%d\t%d\t%.1f\t%zu\n", pes[p], queues[q],
			       quiet_ns(), row_bytes(pes[p]));
		}
	return 0;
}
