/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every put, get and put with signal on a stream, of several lengths, from host
 * and device memory; signals and waits that order streams of different PEs.
 * PES: all
 */
#include <shmem/stream.h>
#include "common.h"

enum { MAX_BYTES = 1 << 18, ROUNDS = 40 };

/* What one call of any row is given. */
struct call {
	void *dest;
	const void *source;
	size_t nelems;
	uint64_t *sig_addr;
	uint64_t signal;
	int sig_op, pe;
	shmemx_stream_t stream;
};

struct row {
	const char *name, *body;
	size_t esize;
	void (*call)(const struct call *c);
};

#define SHMEMI_STREAM_PLAIN(ret, name, params)
#define SHMEMI_STREAM_FN(name, ret, params, N, T, esize, body, SHAPE) \
	CALL_##SHAPE(name, T)
#define CALL_PUT(name, T) \
	static void call_##name(const struct call *c) \
	{ \
		name((T *)c->dest, (const T *)c->source, c->nelems, c->pe, \
		     c->stream); \
	}
#define CALL_PUT_SIGNAL(name, T) \
	static void call_##name(const struct call *c) \
	{ \
		name((T *)c->dest, (const T *)c->source, c->nelems, \
		     c->sig_addr, c->signal, c->sig_op, c->pe, c->stream); \
	}
#define CALL_WAIT(name, T) \
	static void call_##name(const struct call *c) \
	{ \
		name((T *)c->dest, c->sig_op, (T)c->signal, c->stream); \
	}
#define CALL_COLL(name, T)
#define CALL_BROADCAST(name, T)
#define CALL_ALLTOALLS(name, T)
#define CALL_ALLTOALLV(name, T)
#include <shmem/stream_expand.h>

#define SHMEMI_STREAM_PLAIN(ret, name, params)
#define SHMEMI_STREAM_FN(name, ret, params, N, T, esize, body, SHAPE) \
	ROW_##SHAPE(name, #body, esize)
#define ROW_PUT(name, body, esize) { #name, body, esize, call_##name },
#define ROW_PUT_SIGNAL ROW_PUT
#define ROW_WAIT ROW_PUT
#define ROW_COLL(name, body, esize)
#define ROW_BROADCAST(name, body, esize)
#define ROW_ALLTOALLS(name, body, esize)
#define ROW_ALLTOALLV(name, body, esize)
static const struct row rows[] = {
#include <shmem/stream_expand.h>
};

static struct gpu_mem source, dest, flags;
static unsigned char *plain; /* neither symmetric nor pinned */
static shmemx_stream_t stream;

static int next(void)
{
	return (gpu_me + 1) % gpu_n;
}

static int previous(void)
{
	return (gpu_me + gpu_n - 1) % gpu_n;
}

static void done(void)
{
	GPU_CHECK_EQ(shmemx_stream_synchronize(stream), 0);
	shmem_barrier_all();
}

/* Guards behind the array must stay. */
static void check_dest(const char *name, size_t bytes, uint64_t salt, int from)
{
	unsigned char *want = malloc(bytes + 16);

	gpu_bytes(want, bytes, salt, from, 0);
	memset(want + bytes, 0xee, 16);
	gpu_mem_pull(&dest, bytes + 16);
	gpu_same(name, dest.host, want, bytes + 16);
	free(want);
}

static void prepare(size_t bytes, uint64_t salt)
{
	gpu_bytes(source.host, bytes, salt, gpu_me, 0);
	memcpy(plain, source.host, bytes);
	gpu_mem_push(&source, bytes);
	gpu_mem_fill(&dest, 0xee, bytes + 16);
	gpu_mem_fill(&flags, 0, flags.bytes);
	shmem_barrier_all();
}

static uint64_t flag_value(size_t i)
{
	gpu_mem_pull(&flags, flags.bytes);
	return ((uint64_t *)flags.host)[i];
}

static void test_copy(const struct row *r, size_t nelems, uint64_t salt,
		      int from_plain)
{
	const size_t bytes = nelems * r->esize;
	const int get = !strcmp(r->body, "get");
	struct call c = {
		.dest = dest.dev,
		.source = from_plain && !get ? (void *)plain : source.dev,
		.nelems = nelems,
		.sig_addr = (uint64_t *)flags.dev,
		.signal = salt + 1,
		.sig_op = salt % 2 ? SHMEM_SIGNAL_SET : SHMEM_SIGNAL_ADD,
		.pe = next(),
		.stream = stream,
	};

	prepare(bytes, salt);
	r->call(&c);
	done();
	check_dest(r->name, bytes, salt, get ? next() : previous());
	if (!strcmp(r->body, "put_signal"))
		GPU_CHECK_EQ(flag_value(0), salt + 1);
	shmem_barrier_all();
}

/* Waits for what the neighbour's stream brings; then its own for the next. */
static void test_wait(const struct row *r, uint64_t salt)
{
	struct call c = {
		.dest = flags.dev,
		.signal = salt % 100 + 1,
		.sig_op = SHMEM_CMP_EQ,
		.stream = stream,
	};
	const uint64_t value = c.signal;

	prepare(8, salt);
	if (gpu_me % 2 == 0)
		shmemx_signal_set_on_stream((uint64_t *)flags.dev, value,
					    next(), stream);
	r->call(&c);
	if (gpu_me % 2)
		shmemx_signal_set_on_stream((uint64_t *)flags.dev, value,
					    next(), stream);
	done();
	GPU_CHECK_EQ(flag_value(0), value);
	shmem_barrier_all();
}

static void test_rows(void)
{
	static const size_t lengths[] = { 0, 1, 3, 64, 1000 };

	for (size_t i = 0; i < GPU_COUNT(rows); i++) {
		const struct row *r = &rows[i];
		const uint64_t salt = gpu_seed + i;

		gpu_called(r->name);
		if (!strcmp(r->body, "wait_until")) {
			test_wait(r, salt);
			continue;
		}
		test_copy(r, lengths[i % GPU_COUNT(lengths)], salt, 0);
		test_copy(r, lengths[(i + 1) % GPU_COUNT(lengths)], salt, 1);
		test_copy(r, 7, salt, 0);
	}
}

/* Large enough for whatever way large arrays take. */
static void test_large(void)
{
	for (size_t i = 0; i < GPU_COUNT(rows); i++)
		if (rows[i].esize == 1 && strcmp(rows[i].body, "wait_until"))
			test_copy(&rows[i], MAX_BYTES - 16, gpu_seed + i,
				  (int)(i % 2));
}

/* A ring: each stream waits for its neighbour's, adds nothing of the host's. */
static void test_ring(void)
{
	uint64_t *sig = (uint64_t *)flags.dev;

	prepare(ROUNDS, 1);
	for (uint64_t round = 1; round <= ROUNDS; round++) {
		if (gpu_me)
			shmemx_signal_wait_until_on_stream(sig, SHMEM_CMP_GE,
							   round, stream);
		shmemx_putmem_signal_on_stream(dest.dev, source.dev, ROUNDS,
					       sig, 1, SHMEM_SIGNAL_ADD, next(),
					       stream);
		if (!gpu_me)
			shmemx_signal_wait_until_on_stream(sig, SHMEM_CMP_GE,
							   round, stream);
	}
	done();
	GPU_CHECK_EQ(flag_value(0), ROUNDS);
	check_dest("ring", ROUNDS, 1, previous());
	shmem_barrier_all();
}

/* What the host does after it has returned must not reach what was put. */
static void test_order(void)
{
	prepare(4096, 2);
	for (int i = 0; i < ROUNDS; i++) {
		shmemx_putmem_on_stream(dest.dev, source.dev, 4096, next(),
					stream);
		shmemx_quiet_on_stream(stream);
		shmemx_getmem_on_stream(source.dev + 4096, dest.dev, 4096,
					next(), stream);
		shmemx_fence_on_stream(stream);
		shmemx_putmem_on_stream(dest.dev + 4096, source.dev + 4096,
					4096, next(), stream);
		shmemx_signal_add_on_stream((uint64_t *)flags.dev + 1, 2,
					    next(), stream);
	}
	shmemx_barrier_all_on_stream(stream);
	GPU_CHECK_EQ(shmemx_stream_synchronize(stream), 0);
	GPU_CHECK_EQ(flag_value(1), 2 * ROUNDS);
	gpu_mem_pull(&dest, 8192);
	gpu_same("order", dest.host, dest.host + 4096, 4096);
	shmem_barrier_all();
}

int main(void)
{
	gpu_begin();
	source = gpu_mem_new(MAX_BYTES);
	dest = gpu_mem_new(MAX_BYTES + 16);
	flags = gpu_mem_new(64);
	plain = malloc(MAX_BYTES);
	GPU_CHECK_EQ(shmemx_stream_create(&stream), 0);
	test_rows();
	test_large();
	test_ring();
	test_order();
	GPU_CHECK_EQ(shmemx_stream_destroy(stream), 0);
	free(plain);
	gpu_mem_free(&source);
	gpu_mem_free(&dest);
	gpu_mem_free(&flags);
	return gpu_end();
}
