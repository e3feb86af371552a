/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host puts work on a stream and goes on: a kernel that fills an array, an
 * alltoall, a kernel that looks at what came. Then the same as a graph, which
 * is recorded once and launched often.
 *
 *	oshcc -o alltoall_on_stream alltoall_on_stream.c
 *	oshrun -n 4 ./alltoall_on_stream
 */
#include <stdio.h>
#include <shmem/device.h>

enum { BLOCK = 1000, LAUNCHES = 10 };

struct exchange {
	int *source, *dest; /* a block for each PE, and from each */
	int *wrong, *round;
	int me, n;
};

SHMEMX_KERNEL(fill, struct exchange, e)
{
	const int first = (int)(shmemx_wg() * shmemx_nitems() + shmemx_item());

	for (int i = first; i < e.n * BLOCK;
	     i += (int)(shmemx_nwgs() * shmemx_nitems()))
		e.source[i] = e.me * 1000000 + i + *e.round;
}

/* One work-item counts, for the sake of few lines. */
SHMEMX_KERNEL(look, struct exchange, e)
{
	if (shmemx_item() != 0)
		return;
	for (int pe = 0; pe < e.n; pe++)
		for (int i = 0; i < BLOCK; i++)
			*e.wrong += e.dest[pe * BLOCK + i] !=
				    pe * 1000000 + e.me * BLOCK + i + *e.round;
	++*e.round;
}

static void enqueue(const struct exchange *e, shmemx_stream_t stream)
{
	shmemx_launch(SHMEMX_KERNEL_REF(fill), 4, 256, e, sizeof(*e), stream);
	shmemx_int_alltoall_on_stream(SHMEM_TEAM_WORLD, e->dest, e->source,
				      BLOCK, stream);
	shmemx_launch(SHMEMX_KERNEL_REF(look), 1, 64, e, sizeof(*e), stream);
	/* Nobody sends again before all have looked. */
	shmemx_sync_all_on_stream(stream);
}

static void run(const struct exchange *e)
{
	shmemx_stream_t stream;
	shmemx_graph_t graph;

	if (shmemx_stream_create(&stream))
		shmem_global_exit(1);
	enqueue(e, stream);

	if (shmemx_capture_begin(stream))
		shmem_global_exit(1);
	enqueue(e, stream);
	if (shmemx_capture_end(stream, &graph))
		shmem_global_exit(1);
	for (int i = 0; i < LAUNCHES; i++)
		shmemx_graph_launch(graph, stream);
	shmemx_stream_synchronize(stream);
	shmemx_graph_destroy(graph);
	shmemx_stream_destroy(stream);
}

int main(void)
{
	struct exchange e;
	size_t bytes;
	int wrong, rounds;

	shmem_init();
	e.me = shmem_my_pe();
	e.n = shmem_n_pes();
	bytes = (size_t)e.n * BLOCK * sizeof(int);
	e.source = (int *)shmem_malloc(bytes);
	e.dest = (int *)shmem_malloc(bytes);
	e.wrong = (int *)shmem_calloc(2, sizeof(int));
	e.round = e.wrong + 1;

	run(&e);

	shmemx_memcpy(&wrong, e.wrong, sizeof(wrong));
	shmemx_memcpy(&rounds, e.round, sizeof(rounds));
	printf("PE %d: %d exchanges with %d PEs, %d wrong\n", e.me, rounds, e.n,
	       wrong);
	shmem_finalize();
	return wrong || rounds != 1 + LAUNCHES;
}
