/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE with queues of the VERBS format and no host part: a thread of the test
 * connects queues when kernels ask, takes entries, checks all that they say and
 * makes what they ask for in the memory of pretended peers. For programs of one
 * file, as each file with kernels has a block of its own.
 */
#ifndef TESTS_GDA_RING_H
#define TESTS_GDA_RING_H

#include <shmem.h>
#include <shmemx.h>

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Atomics on memory of this PE that a call makes; polls are loads. */
#include <shmem/device/arch.h>
static uint64_t ring_atomics;
static int ring_gangs; /* items of a wave come together */

static inline uint64_t ring_amo64(enum shmemd_amo op, void *p, uint64_t v,
				  uint64_t c)
{
	__atomic_add_fetch(&ring_atomics, 1, __ATOMIC_RELAXED);
	return shmemd_amo64(op, p, v, c);
}

static inline uint32_t ring_amo32(enum shmemd_amo op, void *p, uint32_t v,
				  uint32_t c)
{
	__atomic_add_fetch(&ring_atomics, 1, __ATOMIC_RELAXED);
	return shmemd_amo32(op, p, v, c);
}

static inline void ring_max64(uint64_t *p, uint64_t v)
{
	__atomic_add_fetch(&ring_atomics, 1, __ATOMIC_RELAXED);
	shmemd_max64(p, v);
}

#define shmemd_amo64 ring_amo64
#define shmemd_amo32 ring_amo32
#define shmemd_max64 ring_max64
#include <shmem/device.h>

#include "gpu/cpu/cpu.h"
#include "gpu/gpu.h"

#define CHECK(what) ring_check(!!(what), #what, __FILE__, __LINE__)

static inline void ring_check(int ok, const char *what, const char *file,
			      int line)
{
	if (ok)
		return;
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
	exit(1);
}

enum {
	PES = 4, /* this one is 0 */
	QUEUES_MAX = 64,
	CHUNK_LOG2 = 12,
	CHUNK = 1 << CHUNK_LOG2,
	HEAP = 64 * CHUNK, /* of each PE */
	SMALL = 4 * CHUNK, /* host heap and static data */
	LOG = 4096,	   /* entries that a queue remembers */
	NUMBER = 100,	   /* of the first queue */
	CODE = 10,	   /* of an entry that fails: remote access */
	VENDOR = 0x77
};

/* Contexts, by their options: handles from 1 on. */
static const uint32_t ring_options[] = {
	0,
	0, /* SHMEM_CTX_DEFAULT */
	SHMEM_CTX_PRIVATE,
	SHMEM_CTX_SERIALIZED,
	SHMEMX_CTX_LATER,
	SHMEMX_CTX_VISIBLE,
	SHMEM_CTX_PRIVATE | SHMEMX_CTX_LATER,
	0,
};
#define CTX(i) ((shmem_ctx_t)(uintptr_t)(i))
enum { PRIVATE = 2, SERIAL, LATER, VISIBLE, PRIVATE_LATER, OTHER, CTXS };

/* A queue with what the NIC knows of it. */
struct ring_queue {
	struct shmemd_gda_queue q;
	struct shmemd_gda_remote remote;
	struct gda_verbs_entry *entries;
	struct gda_verbs_done done;
	uint64_t doorbell;
	uint64_t taken;	  /* entries that the NIC has made */
	uint64_t ceiling; /* it makes no more than these */
	uint64_t fails;	  /* this one fails, and all after it */
	uint64_t told;	  /* the doorbell, as it was seen last */
	uint64_t rings;	  /* changes of it that were seen */
	struct gda_verbs_entry log[LOG];
};

static struct {
	unsigned int n_places;
	char *memory[PES][SHMEMD_GDA_SYMMETRIC];
	struct shmemd_gda_span spans[SHMEMD_GDA_SYMMETRIC + 1];
	struct shmemd_gda_row *rows[SHMEMD_ALL_CTXS];
	struct shmemd_gda_failure failures[SHMEMD_ALL_CTXS];
	uint32_t failed[SHMEMD_ALL_CTXS];
	struct shmemd_ctx ctxs[SHMEMD_ALL_CTXS];
	ptrdiff_t deltas[PES];
	uint64_t asks[SHMEMD_GDA_ASKS], n_asked;
	struct ring_queue *queues[QUEUES_MAX];
	unsigned int n_queues;
	int refuses; /* this PE, -1 for none */
	int stops;
	pthread_t thread;
} ring;

static const size_t ring_bytes[SHMEMD_GDA_SYMMETRIC] = { HEAP, SMALL, SMALL };

/* Keys tell PE, span and chunk, and which of the two they are. */
static uint32_t ring_key(int pe, int span, size_t chunk, int amo)
{
	return (uint32_t)(amo + 1) << 24 | (uint32_t)pe << 20 |
	       (uint32_t)span << 16 | (uint32_t)chunk;
}

static struct shmemd_gda_key *ring_keys(int pe, int span, size_t bytes)
{
	const size_t n = (bytes + CHUNK - 1) / CHUNK;
	struct shmemd_gda_key *keys = calloc(n, sizeof(*keys));

	for (size_t i = 0; i < n; i++) {
		keys[i].rma = ring_key(pe, span, i, 0);
		keys[i].amo = ring_key(pe, span, i, 1);
	}
	return keys;
}

/* The peers' copy of an address of mine. */
static inline void *ring_theirs(int pe, const void *mine)
{
	for (int i = 0; i < SHMEMD_GDA_SYMMETRIC; i++) {
		const size_t at =
			(uintptr_t)mine - (uintptr_t)ring.memory[0][i];

		if (at < ring_bytes[i])
			return ring.memory[pe][i] + at;
	}
	abort();
}

/* That so many bytes lie in the chunk whose key it is. */
static void ring_check_side(uint64_t at, size_t bytes, uint32_t key, int amo)
{
	const int pe = key >> 20 & 15, span = key >> 16 & 15;
	const size_t chunk = key & 0xffff;
	const char *base = span < SHMEMD_GDA_SYMMETRIC ? ring.memory[pe][span] :
							 ring.spans[span].base;
	const uint64_t begin = (uint64_t)(uintptr_t)base + chunk * CHUNK;

	CHECK(key >> 24 == (uint32_t)amo + 1);
	CHECK(at >= begin && at + bytes <= begin + CHUNK);
	CHECK(at + bytes <= (uint64_t)(uintptr_t)base + ring.spans[span].bytes);
}

static void ring_check_entry(struct ring_queue *r,
			     const struct gda_verbs_entry *e)
{
	const int amo = e->kind == GDA_ADD || e->kind == GDA_SWAP_IF;
	const uint64_t cells = (uint64_t)(uintptr_t)r->q.cells;

	CHECK(e->kind <= GDA_SWAP_IF && e->completes <= 1 && e->bytes);
	CHECK((int)(e->remote_key >> 20 & 15) == r->q.pe);
	ring_check_side(e->remote, e->bytes, e->remote_key, amo);
	if (amo)
		CHECK(e->bytes == 8 && e->remote % 8 == 0);
	if (e->kind == GDA_WRITE_INLINE) {
		CHECK(e->bytes <= 32);
	} else if (e->local_key == r->q.cell_key) {
		CHECK(e->local - cells < (uint64_t)r->q.n_places * 64 &&
		      (e->local - cells) % 64 == 0 && e->bytes <= 64);
	} else {
		CHECK(!amo && (e->local_key >> 20 & 15) == 0);
		ring_check_side(e->local, e->bytes, e->local_key, 0);
	}
}

static void ring_make(const struct gda_verbs_entry *e)
{
	void *there = (void *)(uintptr_t)e->remote;
	void *here = (void *)(uintptr_t)e->local;
	uint64_t old = e->data[1];

	switch (e->kind) {
	case GDA_WRITE:
		memcpy(there, here, e->bytes);
		break;
	case GDA_WRITE_INLINE:
		memcpy(there, e->data, e->bytes);
		break;
	case GDA_READ:
		memcpy(here, there, e->bytes);
		break;
	case GDA_ADD:
		old = __atomic_fetch_add((uint64_t *)there, e->data[0],
					 __ATOMIC_SEQ_CST);
		memcpy(here, &old, 8);
		break;
	default:
		__atomic_compare_exchange_n((uint64_t *)there, &old, e->data[0],
					    0, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST);
		memcpy(here, &old, 8);
	}
}

static void ring_fail(struct ring_queue *r)
{
	struct gda_verbs_done error = { 0, CODE, VENDOR };
	uint64_t word;

	memcpy(&word, &error.code, 8);
	__atomic_store_n((uint64_t *)(void *)&r->done.code, word,
			 __ATOMIC_RELEASE);
}

/* One entry; 0: there is none, or it is not to be made. */
static int ring_take(struct ring_queue *r)
{
	const uint64_t at = r->taken;
	const struct gda_verbs_entry *e = &r->entries[at % r->q.n_places];
	const uint64_t upto = __atomic_load_n(&r->doorbell, __ATOMIC_ACQUIRE);

	CHECK(upto >= r->told);
	if (upto != r->told)
		__atomic_store_n(&r->rings, r->rings + 1, __ATOMIC_RELAXED);
	r->told = upto;
	if (at >= upto || at >= __atomic_load_n(&r->ceiling, __ATOMIC_ACQUIRE))
		return 0;
	CHECK(upto - r->done.done <= r->q.n_places);
	if (at >= r->fails) {
		ring_fail(r);
		return 0;
	}
	ring_check_entry(r, e);
	r->log[at % LOG] = *e;
	ring_make(e);
	__atomic_store_n(&r->taken, at + 1, __ATOMIC_RELEASE);
	if (e->completes)
		__atomic_store_n(&r->done.done, at + 1, __ATOMIC_RELEASE);
	return 1;
}

static struct ring_queue *ring_queue_new(unsigned int ctx, int pe)
{
	struct ring_queue *r =
		aligned_alloc(128, (sizeof(*r) + 127) / 128 * 128);
	const size_t n = ring.n_places;

	memset(r, 0, sizeof(*r));
	r->entries = aligned_alloc(64, n * 64);
	memset(r->entries, 0xff, n * 64);
	r->ceiling = UINT64_MAX;
	r->fails = UINT64_MAX;
	for (int i = 0; i < SHMEMD_GDA_SYMMETRIC; i++) {
		r->remote.base[i] = (uint64_t)(uintptr_t)ring.memory[pe][i];
		r->remote.keys[i] = ring_keys(pe, i, ring_bytes[i]);
	}
	r->q.entries = (char *)r->entries;
	r->q.doorbell = (char *)&r->doorbell;
	r->q.completions = (char *)&r->done;
	r->q.cells = aligned_alloc(64, n * 64);
	r->q.held = calloc(n, sizeof(uint32_t));
	r->q.remote = &r->remote;
	r->q.cell_key = 0xce11;
	r->q.number = NUMBER + ring.n_queues;
	r->q.n_places = (uint32_t)n;
	r->q.n_completions = 1;
	r->q.format = SHMEMD_GDA_VERBS;
	r->q.ctx = ctx;
	r->q.pe = pe;
	r->q.alone = (ring.ctxs[ctx].options & SHMEM_CTX_PRIVATE) != 0;
	CHECK(ring.n_queues < QUEUES_MAX);
	ring.queues[ring.n_queues++] = r;
	return r;
}

/* What the host says of a context. */
static inline void ring_host_fails(unsigned int ctx, int pe, uint32_t error)
{
	ring.failures[ctx].pe = pe;
	ring.failures[ctx].error = error;
	__atomic_store_n(&ring.failures[ctx].state, SHMEMD_ERROR_WRITTEN,
			 __ATOMIC_RELEASE);
	__atomic_store_n(&ring.failed[ctx], 1, __ATOMIC_RELEASE);
}

static void ring_connect(uint64_t ask)
{
	const size_t words = (size_t)PES * shmemd_block.gda.n_queues;
	const unsigned int ctx = ask >> 40 & 0x7fffff;
	const int pe = (int)(uint32_t)ask;
	const size_t word =
		(size_t)pe * shmemd_block.gda.n_queues + (ask >> 32 & 0xff);
	struct shmemd_gda_row *row = ring.rows[ctx];
	uint64_t v = SHMEMD_GDA_REFUSED;

	CHECK(ctx < SHMEMD_ALL_CTXS && pe > 0 && pe < PES);
	if (!row) {
		row = calloc(1, sizeof(*row) + 2 * words * 8);
		__atomic_store_n(&ring.rows[ctx], row, __ATOMIC_RELEASE);
	}
	if (__atomic_load_n(&row->words[word], __ATOMIC_RELAXED) >=
	    SHMEMD_GDA_REFUSED)
		return;
	if (pe == ring.refuses) {
		ring_host_fails(ctx, pe, SHMEMX_ERROR_CONNECT);
	} else {
		v = (uint64_t)(uintptr_t)&ring_queue_new(ctx, pe)->q;
		__atomic_store_n(&row->words[words + row->n_connected], v,
				 __ATOMIC_RELEASE);
		__atomic_store_n(&row->n_connected, row->n_connected + 1,
				 __ATOMIC_RELEASE);
	}
	__atomic_store_n(&row->words[word], v, __ATOMIC_RELEASE);
}

static void *ring_thread(void *unused)
{
	unsigned int i;

	(void)unused;
	while (!__atomic_load_n(&ring.stops, __ATOMIC_ACQUIRE)) {
		int busy = 0;

		for (i = 0; i < SHMEMD_GDA_ASKS; i++) {
			const uint64_t ask = __atomic_load_n(&ring.asks[i],
							     __ATOMIC_ACQUIRE);

			if (!ask)
				continue;
			ring_connect(ask);
			__atomic_store_n(&ring.asks[i], 0, __ATOMIC_RELEASE);
		}
		for (i = 0; i < ring.n_queues; i++)
			for (int k = 0; k < 5 && ring_take(ring.queues[i]); k++)
				busy = 1;
		if (!busy)
			sched_yield();
	}
	return NULL;
}

/* The queue of a context to a PE; NULL before a kernel has asked. */
static inline struct ring_queue *ring_queue_of(unsigned int ctx, int pe,
					       unsigned int index)
{
	uint64_t v;

	if (!ring.rows[ctx])
		return NULL;
	v = ring.rows[ctx]
		    ->words[(size_t)pe * shmemd_block.gda.n_queues + index];
	return v < SHMEMD_GDA_WORDS ? NULL : (struct ring_queue *)(uintptr_t)v;
}

/* The NIC makes no more than so many entries of the queue. */
static inline void ring_hold(struct ring_queue *r, uint64_t upto)
{
	__atomic_store_n(&r->ceiling, upto, __ATOMIC_RELEASE);
}

static void ring_spans(void)
{
	static char buffer[3 * CHUNK] __attribute__((aligned(CHUNK)));

	for (int i = 0; i < SHMEMD_GDA_SYMMETRIC; i++) {
		ring.spans[i].base = ring.memory[0][i];
		ring.spans[i].bytes = ring_bytes[i];
		ring.spans[i].keys = ring_keys(0, i, ring_bytes[i]);
		ring.spans[i].n_chunks = ring_bytes[i] / CHUNK;
	}
	/* A registered one that begins and ends anywhere. */
	ring.spans[SHMEMD_GDA_SYMMETRIC].base = buffer + 24;
	ring.spans[SHMEMD_GDA_SYMMETRIC].bytes = 2 * CHUNK + 100;
	ring.spans[SHMEMD_GDA_SYMMETRIC].keys =
		ring_keys(0, SHMEMD_GDA_SYMMETRIC, 2 * CHUNK + 100);
	ring.spans[SHMEMD_GDA_SYMMETRIC].n_chunks = 3;
}

static void ring_block(unsigned int n_queues)
{
	struct shmemd_gda *gda = &shmemd_block.gda;

	memset(&shmemd_block, 0, sizeof(shmemd_block));
	shmemd_block.n_pes = PES;
	shmemd_block.n_near = 1;
	shmemd_block.n_far = PES - 1;
	shmemd_block.heap = ring.memory[0][SHMEMD_GDA_DEVICE];
	shmemd_block.heap_bytes = shmemd_block.fast_bytes = HEAP;
	shmemd_block.deltas = ring.deltas;
	shmemd_block.ctxs = ring.ctxs;
	shmemd_block.world.n_pes = PES;
	shmemd_block.world.stride = 1;
	gda->format = SHMEMD_GDA_VERBS;
	gda->n_queues = n_queues;
	gda->n_spans = SHMEMD_GDA_SYMMETRIC + 1;
	gda->chunk_log2 = CHUNK_LOG2;
	gda->atomics = 1;
	gda->message_bytes = 3000;
	gda->spans = ring.spans;
	gda->rows = ring.rows;
	gda->asks = ring.asks;
	gda->n_asked = &ring.n_asked;
	gda->failures = ring.failures;
	gda->failed = ring.failed;
}

/* Begin and end of a scene: all is new. */
static void ring_begin(unsigned int n_places, unsigned int n_queues)
{
	memset(&ring, 0, sizeof(ring));
	ring.n_places = n_places;
	ring.refuses = -1;
	for (int pe = 0; pe < PES; pe++) {
		ring.deltas[pe] = pe ? SHMEMD_FAR : 0;
		for (int i = 0; i < SHMEMD_GDA_SYMMETRIC; i++) {
			ring.memory[pe][i] =
				aligned_alloc(CHUNK, ring_bytes[i]);
			memset(ring.memory[pe][i], 0, ring_bytes[i]);
		}
	}
	for (uint32_t i = 0; i < CTXS; i++) {
		ring.ctxs[i].live = i != 0;
		ring.ctxs[i].team = 1;
		ring.ctxs[i].options = ring_options[i];
	}
	ring_spans();
	ring_block(n_queues);
	CHECK(!pthread_create(&ring.thread, NULL, ring_thread, NULL));
}

static void ring_queue_free(struct ring_queue *r)
{
	for (int i = 0; i < SHMEMD_GDA_SYMMETRIC; i++)
		free((void *)(uintptr_t)r->remote.keys[i]);
	free(r->entries);
	free(r->q.cells);
	free(r->q.held);
	free(r);
}

static void ring_end(void)
{
	__atomic_store_n(&ring.stops, 1, __ATOMIC_RELEASE);
	CHECK(!pthread_join(ring.thread, NULL));
	for (unsigned int i = 0; i < ring.n_queues; i++)
		ring_queue_free(ring.queues[i]);
	for (int i = 0; i < SHMEMD_ALL_CTXS; i++)
		free(ring.rows[i]);
	for (int i = 0; i <= SHMEMD_GDA_SYMMETRIC; i++)
		free((void *)(uintptr_t)ring.spans[i].keys);
	for (int pe = 0; pe < PES; pe++)
		for (int i = 0; i < SHMEMD_GDA_SYMMETRIC; i++)
			free(ring.memory[pe][i]);
}

static void ring_run(void (*body)(const void *), int n_wgs, int n_items)
{
	const struct shmemg_kernel kernel = { "test", body, NULL };

	CHECK(!shmemg->launch(&kernel, n_wgs, n_items, NULL, 0, NULL));
	CHECK(!shmemg->stream_sync(NULL));
}

/* Runs the scenes with items that come alone, and with gangs. */
static int ring_main(void (*scenes)(void))
{
	for (int gangs = 0; gangs < 2; gangs++) {
		ring_gangs = gangs;
		shmemg_cpu_set_gangs(gangs);
		if (!gangs)
			CHECK(!shmemg_open("cpu", -1, 3));
		scenes();
	}
	return 0;
}

#endif
