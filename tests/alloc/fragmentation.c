/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much heap a program needs beyond the most that it holds at a time. The
 * trace is that of a long run: arrays that stay, work arrays that come and go
 * as on a stack, and buffers of uneven sizes with random life times. SEED
 * repeats a run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"

#define NSTEPS 20000
#define NSLOTS 512
#define NSTACK 16
#define LIMIT_PERCENT 150

struct trace {
	struct shmemi_alloc *alloc;
	size_t slots[NSLOTS], stack[NSTACK];
	int depth;
};

#define EMPTY ((size_t)-1)

static size_t uneven_bytes(void)
{
	const size_t order = 4 + (size_t)random() % 15;

	return ((size_t)1 << order) + (size_t)random() % ((size_t)1 << order);
}

static int take(struct trace *t, size_t bytes, size_t *offset)
{
	const size_t align = random() % 8 ? 16 : 4096;

	return shmemi_alloc_get(t->alloc, align, bytes, offset);
}

static int buffer_step(struct trace *t)
{
	size_t *slot = &t->slots[random() % NSLOTS], old = *slot;

	*slot = EMPTY;
	if (old != EMPTY && shmemi_alloc_put(t->alloc, old))
		abort();
	return random() % 2 ? take(t, uneven_bytes(), slot) : 0;
}

static int stack_step(struct trace *t)
{
	static const size_t work_bytes[] = { 262144, 65536, 100000, 8192 };
	const int depth = t->depth;

	if (depth == NSTACK || (depth && random() % 2)) {
		t->depth--;
		return shmemi_alloc_put(t->alloc, t->stack[depth - 1]);
	}
	t->depth++;
	return take(t, work_bytes[depth % 4], &t->stack[depth]);
}

/* 0 if a heap of heap_bytes serves the whole trace. */
static int trace_run(unsigned int seed, size_t heap_bytes,
		     struct shmemi_alloc_stats *stats)
{
	static struct trace t;
	size_t lasting;
	int i, rc = 0;

	srandom(seed);
	t.depth = 0;
	for (i = 0; i < NSLOTS; i++)
		t.slots[i] = EMPTY;
	if (shmemi_alloc_create(&t.alloc, heap_bytes))
		abort();
	for (i = 0; i < NSTEPS && !rc; i++) {
		if (i % 1000 == 0)
			rc = take(&t, 123456, &lasting);
		else
			rc = i % 4 ? buffer_step(&t) : stack_step(&t);
	}
	shmemi_alloc_stats(t.alloc, stats);
	if (alloc_check(t.alloc))
		abort();
	shmemi_alloc_destroy(t.alloc);
	return rc;
}

int main(void)
{
	const char *text = getenv("SEED");
	const unsigned int seed = text ? (unsigned int)strtoul(text, NULL, 0)
				       : (unsigned int)time(NULL);
	struct shmemi_alloc_stats stats;
	size_t peak_bytes;
	int percent;

	fprintf(stderr, "SEED=%u\n", seed);
	if (trace_run(seed, (size_t)1 << 40, &stats))
		abort();
	peak_bytes = stats.peak_bytes;
	for (percent = 100; percent <= LIMIT_PERCENT; percent++)
		if (!trace_run(seed, peak_bytes / 100 * percent, &stats))
			break;
	printf("peak of live bytes %zu, heap needed %d %% of it\n", peak_bytes,
	       percent);
	return percent > LIMIT_PERCENT;
}
