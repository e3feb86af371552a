/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communication behind computation: each PE makes blocks of numbers and sends
 * each to the next PE as soon as it is ready, while it makes the next one. The
 * receiver adds each block up when its signal comes. Work-groups take parts:
 * group 0 makes and sends, group 1 receives.
 *
 *	oshcc -o pipeline pipeline.c && oshrun -n 4 ./pipeline
 */
#include <stdio.h>
#include <shmem/device.h>

enum { BLOCKS = 32, BLOCK = 4096, SLOTS = 4 };

/* Blocks go through a few slots; a slot is free when its block was read. */
struct pipe {
	double out[SLOTS][BLOCK], in[SLOTS][BLOCK];
	uint64_t ready;	  /* blocks that have come from the PE before */
	uint64_t done;	  /* blocks of mine that the next PE has read */
	double sums[BLOCKS];
};

struct pipe_args {
	struct pipe *pipe;
	int me, n;
};

/* For kernels and for the host's check. */
#define ELEMENT(pe, block, i) ((pe) * 1000.0 + (block) * 10.0 + (i) % 10)

SHMEMX_FN void make_and_send(const struct pipe_args *a)
{
	struct pipe *p = a->pipe;

	for (int b = 0; b < BLOCKS; b++) {
		double *out = p->out[b % SLOTS];

		/* The put of this slot's last block left it long ago. */
		if (b >= SLOTS)
			shmemx_signal_wait_until_wg(&p->done, SHMEM_CMP_GT,
						    (uint64_t)(b - SLOTS));
		for (unsigned int i = shmemx_item(); i < BLOCK;
		     i += shmemx_nitems())
			out[i] = ELEMENT(a->me, b, i);
		shmemx_double_put_signal_nbi_wg(p->in[b % SLOTS], out, BLOCK,
						&p->ready, 1, SHMEM_SIGNAL_ADD,
						(a->me + 1) % a->n);
	}
	shmemx_quiet_wg();
}

SHMEMX_FN void receive_and_add(const struct pipe_args *a)
{
	struct pipe *p = a->pipe;

	for (int b = 0; b < BLOCKS; b++) {
		const double *in = p->in[b % SLOTS];
		double sum = 0;

		shmemx_signal_wait_until_wg(&p->ready, SHMEM_CMP_GT,
					    (uint64_t)b);
		if (shmemx_item() == 0) {
			for (int i = 0; i < BLOCK; i++)
				sum += in[i];
			p->sums[b] = sum;
			shmem_signal_add(&p->done, 1,
					 (a->me + a->n - 1) % a->n);
		}
	}
}

SHMEMX_KERNEL(pipeline, struct pipe_args, args)
{
	if (shmemx_wg() == 0)
		make_and_send(&args);
	else
		receive_and_add(&args);
}

static int wrong_sums(const double *sums, int from)
{
	int wrong = 0;

	for (int b = 0; b < BLOCKS; b++) {
		double want = 0;

		for (unsigned int i = 0; i < BLOCK; i++)
			want += ELEMENT(from, b, i);
		wrong += sums[b] != want;
	}
	return wrong;
}

int main(void)
{
	double sums[BLOCKS];
	struct pipe_args args;
	int wrong;

	shmem_init();
	args.me = shmem_my_pe();
	args.n = shmem_n_pes();
	args.pipe = (struct pipe *)shmem_calloc(1, sizeof(*args.pipe));

	if (shmemx_launch(SHMEMX_KERNEL_REF(pipeline), 2, 128, &args,
			  sizeof(args), NULL))
		shmem_global_exit(1);
	shmemx_stream_synchronize(NULL);

	shmemx_memcpy(sums, args.pipe->sums, sizeof(sums));
	wrong = wrong_sums(sums, (args.me + args.n - 1) % args.n);
	printf("PE %d: %d blocks of %d numbers, %d wrong\n", args.me, BLOCKS,
	       BLOCK, wrong);
	shmem_finalize();
	return wrong != 0;
}
