/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/log.h"
#include "base/order.h"
#include "conduits/gda/gda_connect.h"
#include "gpu/gpu.h"

/* Kernels keep a line of a queue to themselves, and load lines by pairs. */
#define QUEUE_ALIGN ((size_t)128)
#define SLAB_QUEUES 32

/* Queues as kernels see them, together, so that one copy has them all. */
struct slab {
	struct slab *next;
	struct shmemd_gda_queue *kernels;
	unsigned int n;
};

/* A context's row; nothing before its first ask. */
struct row {
	struct shmemd_gda_row *kernels;
	uint64_t n_connected;
	unsigned int age;     /* how often it was forgotten */
	unsigned char *known; /* by word: it was taken from an ask */
};

static struct {
	struct shmemd_gda_row **table;
	uint64_t *asks;
	uint64_t *n_asked;
	unsigned int n_queues;
	unsigned int from; /* where the next ask may be */
	struct row *rows;
	unsigned int
		used[SHMEMD_ALL_CTXS]; /* contexts that have, or had, one */
	unsigned int n_used;
	struct slab *slabs;
} all;

static pthread_mutex_t slabs_lock = PTHREAD_MUTEX_INITIALIZER;

static size_t n_words(void)
{
	return (size_t)shmemi.n_pes * all.n_queues;
}

static unsigned int power_of_two(int n)
{
	unsigned int p = 1;

	while (p < (unsigned int)n)
		p *= 2;
	return p;
}

int gda_rows_open(void)
{
	all.n_queues = power_of_two(shmemi.env.gda_queues);
	all.rows = calloc(SHMEMD_ALL_CTXS, sizeof(*all.rows));
	all.table = gda_pool_device(SHMEMD_ALL_CTXS * sizeof(*all.table),
				    CACHE_LINE_BYTES);
	all.n_asked = gda_pool_device(CACHE_LINE_BYTES, CACHE_LINE_BYTES);
	all.asks = gda_pool_host(SHMEMD_GDA_ASKS * sizeof(*all.asks),
				 CACHE_LINE_BYTES);
	if (all.rows && all.table && all.n_asked && all.asks)
		return 0;
	shmemi_log_error("out of memory for the queues of %d contexts",
			 SHMEMD_ALL_CTXS);
	free(all.rows);
	return -ENOMEM;
}

void gda_rows_close(void)
{
	for (int ctx = 0; ctx < SHMEMD_ALL_CTXS; ctx++)
		free(all.rows[ctx].known);
	while (all.slabs) {
		struct slab *slab = all.slabs;

		all.slabs = slab->next;
		free(slab);
	}
	free(all.rows);
	memset(&all, 0, sizeof(all));
}

void gda_rows_tell(struct shmemd_gda *kernels)
{
	kernels->n_queues = all.n_queues;
	kernels->rows = all.table;
	kernels->asks = all.asks;
	kernels->n_asked = all.n_asked;
}

/* What can't be told to the device can't be survived. */
static void tell(void *dst, const void *src, size_t bytes)
{
	int rc = shmemg->copy(dst, src, bytes);

	if (rc)
		shmemi_fatal("can't write to device memory: %s", strerror(-rc));
}

static void write64(uint64_t *at, uint64_t v)
{
	if (shmemg_device.host_access)
		flag_store(at, v);
	else
		tell(at, &v, sizeof(v));
}

void gda_row_write32(uint32_t *at, uint32_t v)
{
	if (shmemg_device.host_access)
		flag_store32(at, v);
	else
		tell(at, &v, sizeof(v));
}

void gda_row_read(const struct gda_queue *q, struct shmemd_gda_queue *image)
{
	const struct shmemd_gda_queue *now = q->kernels;

	*image = q->image;
	if (!shmemg_device.host_access) {
		tell(image, now, sizeof(*image));
		return;
	}
	image->failed = flag_load32(&now->failed);
	image->polled = flag_load(&now->polled);
	image->done = flag_load(&now->done);
	image->rung = flag_load(&now->rung);
}

static int is_ask(const struct gda_ask *ask)
{
	return ask->ctx < SHMEMD_ALL_CTXS && ask->index < all.n_queues &&
	       ask->pe >= 0 && ask->pe < shmemi.n_pes;
}

static size_t word_of(const struct gda_ask *ask)
{
	return (size_t)ask->pe * all.n_queues + ask->index;
}

static int open_row(unsigned int ctx)
{
	struct row *row = &all.rows[ctx];
	const size_t bytes =
		sizeof(*row->kernels) + 2 * n_words() * sizeof(uint64_t);

	row->kernels = gda_pool_device(bytes, CACHE_LINE_BYTES);
	if (!row->known) {
		row->known = calloc(n_words(), sizeof(*row->known));
		if (row->known)
			all.used[all.n_used++] = ctx;
	}
	if (!row->kernels || !row->known) {
		shmemi_log_error("out of memory for the queues of context %u",
				 ctx);
		row->kernels = NULL;
		return -ENOMEM;
	}
	row->n_connected = 0;
	memset(row->known, 0, n_words() * sizeof(*row->known));
	write64((uint64_t *)&all.table[ctx], (uint64_t)(uintptr_t)row->kernels);
	return 0;
}

/* Kernels may ask twice for what they don't know to be asked for. */
static int is_new(struct gda_ask *ask)
{
	struct row *row = &all.rows[ask->ctx];

	if (!row->kernels && open_row(ask->ctx)) {
		gda_watch_fail(ask->ctx, ask->pe, NULL, SHMEMX_ERROR_CONNECT,
			       ENOMEM);
		return 0;
	}
	if (row->known[word_of(ask)])
		return 0;
	row->known[word_of(ask)] = 1;
	ask->age = row->age;
	return 1;
}

int gda_row_wants(const struct gda_ask *ask)
{
	return all.rows[ask->ctx].age == ask->age;
}

/* Whoever asks stores once, where it found 0. */
static uint64_t take(unsigned int at)
{
	const uint64_t word = flag_load(&all.asks[at]);

	if (word)
		flag_store(&all.asks[at], 0);
	return word;
}

int gda_row_next(struct gda_ask *ask)
{
	for (unsigned int i = 0; i < SHMEMD_GDA_ASKS; i++) {
		const uint64_t word = take(all.from);

		all.from = (all.from + 1) % SHMEMD_GDA_ASKS;
		if (!word)
			continue;
		ask->ctx = (unsigned int)(word >> 40) & 0x7fffff;
		ask->index = (unsigned int)(word >> 32) & 0xff;
		ask->pe = (int)(uint32_t)word;
		if (is_ask(ask) && is_new(ask))
			return 1;
	}
	return 0;
}

static struct shmemd_gda_queue *new_queue(void)
{
	struct slab *slab = all.slabs;

	if (slab && slab->n < SLAB_QUEUES)
		return &slab->kernels[slab->n];
	slab = calloc(1, sizeof(*slab));
	if (!slab)
		return NULL;
	slab->kernels = gda_pool_device(SLAB_QUEUES * sizeof(*slab->kernels),
					QUEUE_ALIGN);
	if (!slab->kernels) {
		free(slab);
		return NULL;
	}
	slab->next = all.slabs;
	all.slabs = slab;
	return slab->kernels;
}

static int take_queue(struct gda_queue *q)
{
	pthread_mutex_lock(&slabs_lock);
	q->kernels = new_queue();
	if (q->kernels) {
		tell(q->kernels, &q->image, sizeof(q->image));
		all.slabs->n++;
	}
	pthread_mutex_unlock(&slabs_lock);
	if (q->kernels)
		return 0;
	shmemi_log_error("out of memory for a queue to PE %d", q->image.pe);
	return -ENOMEM;
}

/* The word last: who finds it finds the rest, and a quiet finds the queue. */
int gda_row_add(const struct gda_ask *ask, struct gda_queue *q)
{
	struct row *row = &all.rows[ask->ctx];
	uint64_t at;

	if (take_queue(q))
		return -ENOMEM;
	at = (uint64_t)(uintptr_t)q->kernels;
	write64(&row->kernels->words[n_words() + row->n_connected], at);
	write64(&row->kernels->n_connected, ++row->n_connected);
	write64(&row->kernels->words[word_of(ask)], at);
	return 0;
}

void gda_row_refuse(const struct gda_ask *ask)
{
	struct row *row = &all.rows[ask->ctx];

	write64(&row->kernels->words[word_of(ask)], SHMEMD_GDA_REFUSED);
}

void gda_row_forget(unsigned int ctx)
{
	write64((uint64_t *)&all.table[ctx], 0);
	all.rows[ctx].kernels = NULL;
	all.rows[ctx].age++;
}

int gda_row_is_open(unsigned int ctx)
{
	return all.rows[ctx].kernels != NULL;
}

unsigned int gda_rows_used(const unsigned int **ctxs)
{
	*ctxs = all.used;
	return all.n_used;
}

void gda_queue_fail(struct gda_queue *q)
{
	if (q->kernels)
		gda_row_write32(&q->kernels->failed, 1);
}

static int is_quiet(const struct shmemd_gda_queue *q)
{
	return flag_load(&q->done) >= flag_load(&q->posted) ||
	       flag_load32(&q->failed) || gda_error(q->ctx, NULL, 0);
}

static int slab_quiet(const struct slab *slab)
{
	struct shmemd_gda_queue copy[SLAB_QUEUES];
	const struct shmemd_gda_queue *queues = slab->kernels;

	if (!shmemg_device.host_access) {
		tell(copy, slab->kernels, slab->n * sizeof(copy[0]));
		queues = copy;
	}
	for (unsigned int i = 0; i < slab->n; i++)
		if (!is_quiet(&queues[i]))
			return 0;
	return 1;
}

int gda_rows_quiet(void)
{
	int quiet = 1;

	pthread_mutex_lock(&slabs_lock);
	for (const struct slab *slab = all.slabs; quiet && slab;
	     slab = slab->next)
		quiet = slab_quiet(slab);
	pthread_mutex_unlock(&slabs_lock);
	return quiet;
}
