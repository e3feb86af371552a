/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a rod that is cut into as many pieces as there are PEs. One kernel
 * makes all time steps: in each, the piece's two edge cells travel into the
 * neighbours' halo cells with a signal, inner cells are computed meanwhile, and
 * the edges when the neighbours' have come. The result is checked against the
 * whole rod, computed by the host.
 *
 *	oshcc -o halo halo.c && oshrun -n 4 ./halo
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <shmem/device.h>

enum { CELLS = 1000, STEPS = 200 };

/* Cells 1 to CELLS are the PE's own, 0 and CELLS + 1 its neighbours'. */
struct piece {
	double now[2][CELLS + 2]; /* one is read while the other is made */
	uint64_t from_left, from_right; /* steps that have come */
};

struct halo_args {
	struct piece *piece;
};

/* The rule, for kernels and for the host's check. */
#define NEXT(cell) \
	((cell)[0] + 0.25 * ((cell)[-1] - 2 * (cell)[0] + (cell)[1]))

/* My edges of step `step` into the neighbours' halos, by one work-item each. */
SHMEMX_FN void send_edges(struct piece *p, int step)
{
	const int me = shmem_my_pe(), n = shmem_n_pes();
	double *now = p->now[step % 2];
	const uint64_t count = (uint64_t)step + 1;

	if (shmemx_item() == 0 && me > 0)
		shmem_double_put_signal(&now[CELLS + 1], &now[1], 1,
					&p->from_right, count,
					SHMEM_SIGNAL_SET, me - 1);
	if (shmemx_item() == shmemx_nitems() - 1 && me < n - 1)
		shmem_double_put_signal(&now[0], &now[CELLS], 1, &p->from_left,
					count, SHMEM_SIGNAL_SET, me + 1);
}

SHMEMX_FN void wait_for_edges(struct piece *p, int step)
{
	const int me = shmem_my_pe(), n = shmem_n_pes();
	const uint64_t count = (uint64_t)step + 1;

	if (me > 0)
		shmemx_signal_wait_until_wg(&p->from_left, SHMEM_CMP_GE, count);
	if (me < n - 1)
		shmemx_signal_wait_until_wg(&p->from_right, SHMEM_CMP_GE,
					    count);
}

/* One work-group; its work-items share the cells out. */
SHMEMX_KERNEL(halo, struct halo_args, args)
{
	struct piece *p = args.piece;

	for (int step = 0; step < STEPS; step++) {
		double *now = p->now[step % 2], *later = p->now[1 - step % 2];

		send_edges(p, step);
		for (unsigned int i = 2 + shmemx_item(); i < CELLS;
		     i += shmemx_nitems())
			later[i] = NEXT(&now[i]);
		wait_for_edges(p, step);
		if (shmemx_item() == 0) {
			later[1] = NEXT(&now[1]);
			later[CELLS] = NEXT(&now[CELLS]);
		}
		shmemx_wg_barrier();
	}
}

/* The rod at the start: hot and cold in turns; cold beyond its ends. */
static double start(int cell)
{
	return cell / 300 % 2 ? 0 : 100 + cell % 7;
}

static void whole_rod(double *rod, int cells)
{
	double *other = (double *)calloc((size_t)cells + 2, sizeof(double));

	for (int i = 0; i < cells; i++)
		rod[i + 1] = start(i);
	for (int step = 0; step < STEPS; step++) {
		for (int i = 1; i <= cells; i++)
			other[i] = NEXT(&rod[i]);
		memcpy(rod + 1, other + 1, (size_t)cells * sizeof(double));
	}
	free(other);
}

static int wrong_cells(const struct piece *p, int me, int n)
{
	double *rod = (double *)calloc((size_t)n * CELLS + 2, sizeof(double));
	int wrong = 0;

	whole_rod(rod, n * CELLS);
	for (int i = 1; i <= CELLS; i++) {
		double d = rod[me * CELLS + i] - p->now[STEPS % 2][i];

		wrong += d > 1e-9 || d < -1e-9;
	}
	free(rod);
	return wrong;
}

int main(void)
{
	struct piece *host = (struct piece *)calloc(1, sizeof(*host));
	struct halo_args args;
	int me, wrong;

	shmem_init();
	me = shmem_my_pe();
	args.piece = (struct piece *)shmem_malloc(sizeof(*args.piece));
	for (int i = 0; i < CELLS; i++)
		host->now[0][i + 1] = start(me * CELLS + i);
	shmemx_memcpy(args.piece, host, sizeof(*host));
	shmem_barrier_all();

	if (shmemx_launch(SHMEMX_KERNEL_REF(halo), 1, 256, &args, sizeof(args),
			  NULL))
		shmem_global_exit(1);
	shmemx_stream_synchronize(NULL);

	shmemx_memcpy(host, args.piece, sizeof(*host));
	wrong = wrong_cells(host, me, shmem_n_pes());
	printf("PE %d: %d steps of %d cells, %d wrong\n", me, STEPS, CELLS,
	       wrong);
	free(host);
	shmem_finalize();
	return wrong != 0;
}
