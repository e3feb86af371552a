/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every collective on a stream, on all types and lengths of several kinds, over
 * the world and a team in reverse, compared with the host's routine.
 * PES: all
 */
#include <shmem/stream.h>
#include "common.h"

enum { MAX_NELEMS = 6000, STRIDE = 3 };

struct call {
	shmem_team_t team;
	void *dest;
	const void *source;
	size_t nelems;
	ptrdiff_t dst, sst;
	int root;
	shmemx_stream_t stream;
};

struct row {
	const char *name, *body;
	size_t esize;
	int real; /* a floating-point type */
	int (*on_stream)(const struct call *c);
	int (*host)(const struct call *c);
};

/*
 * The host's routine of a row: pshmem_N_body, or pshmem_bodymem. By this name,
 * as it is never a kernel's, which the compiler would have to inline.
 */
#define IS_MEM_mem ,
#define SECOND(a, b, ...) b
#define CHOOSE(...) SECOND(__VA_ARGS__)
#define SIZED(N, body) pshmem_##body##mem
#define TYPED(N, body) pshmem_##N##_##body
#define HOST(N, body) CHOOSE(IS_MEM_##N SIZED, TYPED, )(N, body)

#define CALL(name, N, T, body, ...) \
	static int call_##name(const struct call *c) \
	{ \
		return name(c->team, (T *)c->dest, (const T *)c->source, \
			    __VA_ARGS__, c->stream); \
	} \
	static int host_##name(const struct call *c) \
	{ \
		return HOST(N, body)(c->team, (T *)c->dest, \
				     (const T *)c->source, __VA_ARGS__); \
	}
#define CALL_COLL(name, N, T, body) CALL(name, N, T, body, c->nelems)
#define CALL_BROADCAST(name, N, T, body) \
	CALL(name, N, T, body, c->nelems, c->root)
#define CALL_ALLTOALLS(name, N, T, body) \
	CALL(name, N, T, body, c->dst, c->sst, c->nelems)
#define CALL_PUT(name, N, T, body)
#define CALL_PUT_SIGNAL(name, N, T, body)
#define CALL_WAIT(name, N, T, body)
#define CALL_ALLTOALLV(name, N, T, body)
#define SHMEMI_STREAM_PLAIN(ret, name, params)
#define SHMEMI_STREAM_FN(name, ret, params, N, T, esize, body, SHAPE) \
	CALL_##SHAPE(name, N, T, body)
#include <shmem/stream_expand.h>

#define REAL(N) CHOOSE(IS_REAL_##N 1, 0, )
#define IS_REAL_float ,
#define IS_REAL_double ,
#define ROW_COLL(name, N, body, esize) \
	{ #name, #body, esize, REAL(N), call_##name, host_##name },
#define ROW_BROADCAST ROW_COLL
#define ROW_ALLTOALLS ROW_COLL
#define ROW_PUT(name, N, body, esize)
#define ROW_PUT_SIGNAL(name, N, body, esize)
#define ROW_WAIT(name, N, body, esize)
#define ROW_ALLTOALLV(name, N, body, esize)
#define SHMEMI_STREAM_PLAIN(ret, name, params)
#define SHMEMI_STREAM_FN(name, ret, params, N, T, esize, body, SHAPE) \
	ROW_##SHAPE(name, N, body, esize)
static const struct row rows[] = {
#include <shmem/stream_expand.h>
};

static struct gpu_mem source, dest;
static char *host_source, *host_dest; /* symmetric, in host memory */
static shmemx_stream_t stream;

static int is(const struct row *r, const char *body)
{
	return !strcmp(r->body, body);
}

/* Floats are small integers, so that a product of few is exact as well. */
static void fill_source(const struct row *r, size_t bytes, uint64_t salt)
{
	for (size_t i = 0; i < bytes / r->esize; i++) {
		uint64_t v = gpu_value(salt, gpu_me, i);
		double d = (double)(v % 5) + 1;
		float f = (float)d;

		if (r->real && r->esize == sizeof(d))
			memcpy(source.host + i * r->esize, &d, sizeof(d));
		else if (r->real)
			memcpy(source.host + i * r->esize, &f, sizeof(f));
		else
			memcpy(source.host + i * r->esize, &v, r->esize);
	}
	memcpy(host_source, source.host, bytes);
	gpu_mem_push(&source, bytes);
}

/* Elements that source and dest have, at most. */
static size_t elements(const struct row *r, size_t nelems)
{
	size_t n = nelems * (size_t)gpu_n;

	return is(r, "alltoalls") ? n * STRIDE : n;
}

static struct call arguments(const struct row *r, shmem_team_t team,
			     size_t nelems)
{
	struct call c = {
		.team = team,
		.dest = dest.dev,
		.source = source.dev,
		.nelems = nelems,
		.dst = STRIDE,
		.sst = 2,
		.root = (int)(nelems % (size_t)gpu_n),
		.stream = stream,
	};

	if (is(r, "collect") && shmem_team_my_pe(team) % 2)
		c.nelems /= 2;
	return c;
}

/* in_place: dest is source, which broadcasts and reductions allow. */
static void test(const struct row *r, shmem_team_t team, size_t nelems,
		 int in_place, uint64_t salt)
{
	const size_t bytes = elements(r, nelems) * r->esize;
	struct call c = arguments(r, team, nelems), h = c;

	h.source = host_source;
	h.dest = in_place ? host_source : host_dest;
	if (in_place)
		c.dest = source.dev;
	fill_source(r, bytes, salt);
	gpu_mem_fill(&dest, 0, bytes);
	memset(host_dest, 0, bytes);
	shmem_barrier_all();
	GPU_CHECK_EQ(r->on_stream(&c), 0);
	GPU_CHECK_EQ(r->host(&h), 0);
	GPU_CHECK_EQ(shmemx_stream_synchronize(stream), 0);
	gpu_mem_pull(in_place ? &source : &dest, bytes);
	gpu_same(r->name, in_place ? source.host : dest.host, h.dest, bytes);
	shmem_barrier_all();
}

static int allows_in_place(const struct row *r)
{
	return is(r, "broadcast") || strstr(r->body, "reduce") ||
	       strstr(r->body, "scan");
}

/* Small ones, those of one work-group and of more, and none. */
static void test_rows(void)
{
	static const size_t lengths[] = { 1, 7, 100, MAX_NELEMS, 0, 1025 };

	for (size_t i = 0; i < GPU_COUNT(rows); i++) {
		const struct row *r = &rows[i];

		gpu_called(r->name);
		for (size_t k = 0; k < 2; k++)
			test(r, k ? gpu_reversed : SHMEM_TEAM_WORLD,
			     lengths[(i + 3 * k) % GPU_COUNT(lengths)], 0,
			     gpu_seed + i + k);
		if (allows_in_place(r))
			test(r, SHMEM_TEAM_WORLD, 50 + i, 1, gpu_seed + i);
	}
}

static void test_meet(void)
{
	uint64_t *counts = (uint64_t *)shmemx_malloc_host(sizeof(*counts) * 2);

	counts[0] = counts[1] = 0;
	shmem_barrier_all();
	for (uint64_t i = 1; i <= 50; i++) {
		int next = (gpu_me + 1) % gpu_n;

		shmemx_uint64_put_on_stream(counts, &i, 1, next, stream);
		shmemx_barrier_all_on_stream(stream);
		GPU_CHECK_EQ(shmemx_stream_synchronize(stream), 0);
		GPU_CHECK_EQ(shmem_uint64_atomic_fetch(counts, gpu_me), i);
		shmemx_sync_all_on_stream(stream);
		GPU_CHECK_EQ(shmemx_team_sync_on_stream(gpu_reversed, stream),
			     0);
	}
	GPU_CHECK_EQ(shmemx_stream_synchronize(stream), 0);
	GPU_CHECK(shmemx_team_sync_on_stream(SHMEM_TEAM_INVALID, stream) != 0);
	GPU_CHECK(shmemx_alltoallmem_on_stream(SHMEM_TEAM_INVALID, dest.dev,
					       source.dev, 1, stream) != 0);
	shmem_barrier_all();
	shmem_free(counts);
}

int main(void)
{
	size_t bytes;

	gpu_begin();
	bytes = MAX_NELEMS * STRIDE * sizeof(long) * (size_t)gpu_n;
	source = gpu_mem_new(bytes);
	dest = gpu_mem_new(bytes);
	host_source = shmemx_malloc_host(bytes);
	host_dest = shmemx_malloc_host(bytes);
	GPU_CHECK_EQ(shmemx_stream_create(&stream), 0);
	test_rows();
	test_meet();
	GPU_CHECK_EQ(shmemx_stream_destroy(stream), 0);
	shmem_free(host_dest);
	shmem_free(host_source);
	gpu_mem_free(&source);
	gpu_mem_free(&dest);
	return gpu_end();
}
