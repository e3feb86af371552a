/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Captured operations: a graph runs many times, with other data each time, and
 * beside the same operations outside of it; two streams at once over two teams;
 * many operations back to back without the host waiting.
 * PES: all
 */
#include <shmem/stream.h>
#include "common.h"

enum { NELEMS = 500, REPLAYS = 60, BURST = 300 };

/* What a graph works on. */
struct buffers {
	struct gpu_mem in, moved, out, sums, signal;
};

static void buffers_new(struct buffers *b)
{
	const size_t n = (size_t)gpu_n;

	b->in = gpu_mem_new(NELEMS * sizeof(long));
	b->moved = gpu_mem_new(NELEMS * sizeof(long));
	b->out = gpu_mem_new(n * NELEMS * sizeof(long));
	b->sums = gpu_mem_new(NELEMS * sizeof(long));
	b->signal = gpu_mem_new(2 * sizeof(uint64_t));
}

static void buffers_free(struct buffers *b)
{
	gpu_mem_free(&b->signal);
	gpu_mem_free(&b->sums);
	gpu_mem_free(&b->out);
	gpu_mem_free(&b->moved);
	gpu_mem_free(&b->in);
}

static long number(uint64_t salt, int pe, size_t i)
{
	return (long)(gpu_value(salt, pe, i) % 100000);
}

static void fill_in(struct buffers *b, uint64_t salt)
{
	long *in = (long *)b->in.host;

	for (size_t i = 0; i < NELEMS; i++)
		in[i] = number(salt, gpu_me, i);
	gpu_mem_push(&b->in, b->in.bytes);
	gpu_mem_fill(&b->moved, 0, b->moved.bytes);
	gpu_mem_fill(&b->out, 0, b->out.bytes);
	gpu_mem_fill(&b->sums, 0, b->sums.bytes);
}

/* in goes to the next PE's moved; all moved are joined and summed up. */
static void put_work(struct buffers *b, shmem_team_t team,
		     shmemx_stream_t stream)
{
	long *in = (long *)b->in.dev, *moved = (long *)b->moved.dev;
	uint64_t *signal = (uint64_t *)b->signal.dev;
	int next = (gpu_me + 1) % gpu_n;

	shmemx_team_sync_on_stream(team, stream);
	shmemx_long_put_signal_on_stream(moved, in, NELEMS, signal, 1,
					 SHMEM_SIGNAL_SET, next, stream);
	shmemx_signal_wait_until_on_stream(signal, SHMEM_CMP_EQ, 1, stream);
	shmemx_signal_set_on_stream(signal, 0, gpu_me, stream);
	shmemx_long_fcollect_on_stream(team, (long *)b->out.dev, moved, NELEMS,
				       stream);
	shmemx_long_sum_reduce_on_stream(team, (long *)b->sums.dev, moved,
					 NELEMS, stream);
	shmemx_team_sync_on_stream(team, stream);
	shmemx_long_max_reduce_on_stream(team, moved, moved, NELEMS, stream);
}

static void check_work(struct buffers *b, shmem_team_t team, uint64_t salt)
{
	const long *out = (long *)b->out.host, *sums = (long *)b->sums.host;
	const long *moved = (long *)b->moved.host;
	int bad = 0;

	gpu_mem_pull(&b->out, b->out.bytes);
	gpu_mem_pull(&b->sums, b->sums.bytes);
	gpu_mem_pull(&b->moved, b->moved.bytes);
	for (size_t i = 0; i < NELEMS; i++) {
		long sum = 0, max = 0;

		for (int m = 0; m < gpu_n; m++) {
			int pe = shmem_team_translate_pe(team, m,
							 SHMEM_TEAM_WORLD);
			long v = number(salt, (pe + gpu_n - 1) % gpu_n, i);

			bad += out[(size_t)m * NELEMS + i] != v;
			sum += v;
			max = v > max ? v : max;
		}
		bad += sums[i] != sum || moved[i] != max;
	}
	if (bad)
		gpu_fail("%d of %d numbers are wrong", bad,
			 NELEMS * (gpu_n + 1));
}

static void wait_for(shmemx_stream_t stream)
{
	GPU_CHECK_EQ(shmemx_stream_synchronize(stream), 0);
	GPU_CHECK_EQ(shmemx_stream_query(stream), 0);
}

static void *capture(struct buffers *b, shmem_team_t team,
		     shmemx_stream_t stream)
{
	void *graph = NULL;

	GPU_CHECK_EQ(shmemx_capture_begin(stream), 0);
	put_work(b, team, stream);
	GPU_CHECK_EQ(shmemx_capture_end(stream, &graph), 0);
	return graph;
}

/* Every third time the work is put on the stream itself. */
static void test_replay(struct buffers *b, shmemx_stream_t stream)
{
	void *graph;

	fill_in(b, 0);
	graph = capture(b, gpu_reversed, stream);
	wait_for(stream);
	for (uint64_t i = 0; i < REPLAYS; i++) {
		fill_in(b, gpu_seed + i);
		if (i % 3 == 2)
			put_work(b, gpu_reversed, stream);
		else
			GPU_CHECK_EQ(shmemx_graph_launch(graph, stream), 0);
		wait_for(stream);
		check_work(b, gpu_reversed, gpu_seed + i);
		shmem_barrier_all();
	}
	GPU_CHECK_EQ(shmemx_graph_destroy(graph), 0);
}

/* A stream for each of two teams; PEs begin with another one. */
static void test_streams(struct buffers *b, shmemx_stream_t *streams)
{
	const shmem_team_t teams[2] = { SHMEM_TEAM_WORLD, gpu_reversed };
	void *graphs[2];

	for (int k = 0; k < 2; k++)
		graphs[k] = capture(&b[k], teams[k], streams[k]);
	for (uint64_t i = 0; i < REPLAYS / 2; i++) {
		fill_in(&b[0], gpu_seed + i);
		fill_in(&b[1], gpu_seed + i + 1);
		for (int j = 0; j < 2; j++) {
			int k = (j + gpu_me) % 2;

			GPU_CHECK_EQ(shmemx_graph_launch(graphs[k], streams[k]),
				     0);
		}
		for (int k = 0; k < 2; k++) {
			wait_for(streams[k]);
			check_work(&b[k], teams[k], gpu_seed + i + (uint64_t)k);
		}
		shmem_barrier_all();
	}
	for (int k = 0; k < 2; k++)
		GPU_CHECK_EQ(shmemx_graph_destroy(graphs[k]), 0);
}

/* Each step reads what the one before has left on all PEs. */
static void test_burst(struct buffers *b, shmemx_stream_t stream)
{
	long *x = (long *)b->in.dev, *y = (long *)b->moved.dev;
	long want = gpu_me;

	for (int i = 0; i < NELEMS; i++)
		((long *)b->in.host)[i] = want;
	gpu_mem_push(&b->in, b->in.bytes);
	shmem_barrier_all();
	for (int i = 0; i < BURST; i++) {
		shmemx_long_max_reduce_on_stream(SHMEM_TEAM_WORLD, y, x, NELEMS,
						 stream);
		shmemx_long_sum_inscan_on_stream(SHMEM_TEAM_WORLD, x, y,
						 (size_t)(i % NELEMS), stream);
		shmemx_sync_all_on_stream(stream);
		shmemx_long_broadcast_on_stream(SHMEM_TEAM_WORLD, x, y, NELEMS,
						i % gpu_n, stream);
		shmemx_sync_all_on_stream(stream);
	}
	wait_for(stream);
	gpu_mem_pull(&b->in, b->in.bytes);
	for (int i = 0; i < NELEMS; i++)
		if (((long *)b->in.host)[i] != gpu_n - 1)
			gpu_fail("burst: element %d is %ld, expected %d", i,
				 ((long *)b->in.host)[i], gpu_n - 1);
	shmem_barrier_all();
}

int main(void)
{
	struct buffers b[2];
	shmemx_stream_t streams[2];

	gpu_begin();
	for (int k = 0; k < 2; k++) {
		buffers_new(&b[k]);
		gpu_mem_fill(&b[k].signal, 0, b[k].signal.bytes);
		GPU_CHECK_EQ(shmemx_stream_create(&streams[k]), 0);
	}
	test_replay(&b[0], streams[0]);
	test_streams(b, streams);
	test_burst(&b[0], streams[1]);
	for (int k = 0; k < 2; k++) {
		GPU_CHECK_EQ(shmemx_stream_destroy(streams[k]), 0);
		buffers_free(&b[k]);
	}
	return gpu_end();
}
