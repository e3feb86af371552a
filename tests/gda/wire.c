/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entries that kernels' functions write, executed by the software NIC, which
 * knows the vendors' formats by itself: all kinds and widths, entries of two
 * blocks, batches over the ring's end, against a model of both memories. Prints
 * its seed; SEED=n repeats it.
 */
#include <shmemx.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shmem/device/gda_format.h>

#include "../nic/strict.h"

#define DATA_BYTES 4096
#define RESULTS DATA_BYTES /* where they are; 8 bytes each */
#define BATCHES 400
#define BATCH_MOST 30
#define PSN_FIRST 0xfffff0

static uint64_t seed;

/* What both regions are to be. */
static char here[DATA_BYTES], there[DATA_BYTES];

struct result {
	uint64_t is;
	uint32_t bytes;
};
static struct result results[BATCH_MOST];

static uint64_t random_next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static uint32_t below(uint32_t n)
{
	return (uint32_t)(random_next() >> 16) % n;
}

static void queue_fill(struct shmemd_gda_queue *q, const struct strict *s,
		       enum shmemd_gda_format format)
{
	memset(q, 0, sizeof(*q));
	shmemd_block.gda.format = format;
	q->format = format;
	q->entries = s->entries;
	q->record = (char *)s->record;
	q->doorbell = (char *)s->doorbell;
	q->completions = s->completions;
	q->n_places = STRICT_PLACES;
	q->n_completions = s->n_completions;
	q->number = s->qp->qp_num;
	if (format == SHMEMD_GDA_MLX5)
		q->own[0] = GDA_MLX5_MASKED;
	if (format == SHMEMD_GDA_BNXT) {
		q->own[0] = (uintptr_t)s->table;
		q->own[1] = s->n_table;
		q->own[2] = 10;
		q->moves[0] = PSN_FIRST;
	}
	if (format == SHMEMD_GDA_IONIC) {
		q->own[0] = s->sq_bits;
		q->own[1] = s->n - 1;
		q->own[2] = (uintptr_t)s->cq_doorbell;
		q->own[3] = s->cq_bits;
	}
}

/* --- The model --- */

static void word_get(uint64_t *v, uint32_t at, uint32_t bytes)
{
	*v = 0;
	memcpy(v, there + at, bytes);
}

static uint64_t after(const struct gda_op *op, uint64_t was)
{
	const uint64_t *d = op->data;
	uint64_t sum;

	switch (op->kind) {
	case GDA_ADD:
		return was + d[0];
	case GDA_SWAP_IF:
		return was == d[1] ? d[0] : was;
	case GDA_MASKED_SWAP:
		return (was & d[3]) == (d[1] & d[3]) ?
			       (was & ~d[2]) | (d[0] & d[2]) :
			       was;
	default:
		sum = 0;
		for (uint64_t bit = 1, carry = 0; bit; bit <<= 1) {
			const uint64_t a = was & bit, b = d[0] & bit;

			sum |= a ^ b ^ carry;
			carry = (a & b) | (a & carry) | (b & carry);
			carry = d[1] & bit ? 0 : carry << 1;
		}
		return sum;
	}
}

static void model(const struct gda_op *op, uint32_t local, uint32_t remote,
		  struct result *result)
{
	uint64_t v;

	result->bytes = 0;
	if (op->kind == GDA_WRITE) {
		memcpy(there + remote, here + local, op->bytes);
	} else if (op->kind == GDA_WRITE_INLINE) {
		memcpy(there + remote, op->data, op->bytes);
	} else if (op->kind == GDA_READ) {
		memcpy(here + local, there + remote, op->bytes);
	} else {
		word_get(&v, remote, op->bytes);
		result->is = v;
		result->bytes = op->bytes;
		v = after(op, v);
		memcpy(there + remote, &v, op->bytes);
	}
}

/* --- Entries --- */

static uint32_t kind_choose(enum shmemd_gda_format format)
{
	return below(format == SHMEMD_GDA_MLX5 ? GDA_MASKED_ADD + 1 :
						 GDA_MASKED_SWAP);
}

static void atomic_fill(struct gda_op *op, enum shmemd_gda_format format,
			uint32_t remote)
{
	const int narrow = format == SHMEMD_GDA_MLX5 && below(2);

	/* Of 4 bytes the plain compared swap is not. */
	if (narrow && op->kind == GDA_SWAP_IF)
		op->kind = GDA_MASKED_SWAP;
	op->bytes = narrow ? 4 : 8;
	word_get(&op->data[1], remote, op->bytes);
	if (below(2))
		op->data[1] ^= (uint64_t)1 << below(32);
	if (!narrow)
		return;
	for (int i = 0; i < 4; i++)
		op->data[i] &= UINT32_MAX;
}

/* A random one; its offsets in the regions. */
static struct gda_op op_choose(const struct strict *s,
			       enum shmemd_gda_format format, unsigned int i,
			       uint32_t *local, uint32_t *remote)
{
	struct gda_op op = { .kind = kind_choose(format) };

	for (int k = 0; k < 4; k++)
		op.data[k] = random_next();
	*local = below(DATA_BYTES / 2);
	*remote = below(DATA_BYTES / 2);
	if (op.kind >= GDA_ADD) {
		*remote = *remote / 8 * 8;
		*local = RESULTS + 8 * i;
		atomic_fill(&op, format, *remote);
	} else if (op.kind == GDA_WRITE_INLINE) {
		op.bytes = 1 + below(format == SHMEMD_GDA_MLX5 ? 28 :
				     format == SHMEMD_GDA_BNXT ? 16 :
								 32);
	} else {
		op.bytes = 1 + below(DATA_BYTES / 2);
	}
	op.local = (uintptr_t)s->memory + *local;
	op.local_key = s->mr->lkey;
	op.remote = s->peer_addr + *remote;
	op.remote_key = s->peer_rkey;
	return op;
}

static void await(struct shmemd_gda_queue *q, uint64_t upto)
{
	struct gda_status status;

	while (shmemd_load64(&q->done) < upto) {
		memset(&status, 0, sizeof(status));
		if (!gda_poll(q, &status)) {
			usleep(50);
			continue;
		}
		strict_expect("the completion's code", status.code, 0);
		if (status.done > upto)
			strict_fail("%llu places are done, of %llu",
				    (unsigned long long)status.done,
				    (unsigned long long)upto);
		if (status.done > q->done)
			q->done = status.done;
	}
}

static uint64_t post(struct shmemd_gda_queue *q, uint64_t at,
		     const struct gda_op *op, int completes)
{
	const struct shmemd_gang one = shmemd_gang_one();

	gda_write(q, at, op, completes);
	gda_seal(q, &one, at, op);
	return at + gda_places(op);
}

static void tell(struct shmemd_gda_queue *q, uint64_t upto)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
	gda_record(q, upto);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	gda_ring(q, upto);
}

static void results_check(struct shmemd_gda_queue *q, const struct strict *s,
			  unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		uint64_t word = 0;

		if (!results[i].bytes)
			continue;
		memcpy(&word, s->memory + RESULTS + 8 * i, results[i].bytes);
		strict_expect("a result", gda_result(q, results[i].bytes, word),
			      results[i].is);
	}
}

/* Entries of one batch, the last one completes; how many there were. */
static unsigned int batch(struct shmemd_gda_queue *q, const struct strict *s)
{
	const unsigned int n = 1 + below(BATCH_MOST);
	uint32_t local, remote;
	uint64_t at = q->posted;

	for (unsigned int i = 0; i < n; i++) {
		const struct gda_op op =
			op_choose(s, (enum shmemd_gda_format)q->format, i,
				  &local, &remote);

		model(&op, local, remote, &results[i]);
		at = post(q, at, &op, i == n - 1);
	}
	tell(q, at);
	await(q, at);
	q->posted = at;
	return n;
}

static void random_batches(struct strict *s, const struct strict_case *c)
{
	struct shmemd_gda_queue q;

	queue_fill(&q, s, (enum shmemd_gda_format)c->kind);
	q.alone = (uint32_t)c->value;
	strict_fill(s->memory, DATA_BYTES, seed);
	strict_fill(s->peer, DATA_BYTES, seed + 1);
	memcpy(here, s->memory, DATA_BYTES);
	memcpy(there, s->peer, DATA_BYTES);
	for (int i = 0; i < BATCHES; i++) {
		const unsigned int n = batch(&q, s);

		results_check(&q, s, n);
		if (memcmp(here, s->memory, DATA_BYTES) ||
		    memcmp(there, s->peer, DATA_BYTES))
			strict_fail("batch %d: memory is not as it should be",
				    i);
	}
}

/* The NIC's answer is one that kernels understand. */
static void error(struct strict *s, const struct strict_case *c)
{
	struct shmemd_gda_queue q;
	struct gda_op op = { .kind = GDA_WRITE, .bytes = 8 };
	struct gda_status status = { 0 };

	queue_fill(&q, s, (enum shmemd_gda_format)c->kind);
	op.local = (uintptr_t)s->memory;
	op.local_key = s->mr->lkey;
	op.remote = s->peer_addr + STRICT_BYTES - 7;
	op.remote_key = s->peer_rkey;
	post(&q, 0, &op, 1);
	tell(&q, 1);
	while (!gda_poll(&q, &status))
		usleep(50);
	strict_expect("it failed", status.code != 0, 1);
	strict_expect("the error", status.error, SHMEMX_ERROR_REMOTE);
}

static int try(const struct strict_format *format, int kind)
{
	const struct strict_case cases[] = {
		{ "random batches", random_batches, NULL, kind, 0, 0 },
		{ "one item alone", random_batches, NULL, kind, 0, 1 },
		{ "error", error, NULL, kind, 0, 0 },
	};

	return strict_main(format, cases, sizeof(cases) / sizeof(cases[0]));
}

int main(void)
{
	const char *text = getenv("SEED");
	int failed;

	seed = text ? strtoull(text, NULL, 0) : (uint64_t)getpid() * 1000003;
	printf("SEED=%llu\n", (unsigned long long)seed);
	fflush(stdout);
	seed |= 1;
	failed = try(&strict_mlx5, SHMEMD_GDA_MLX5);
	failed |= try(&strict_bnxt, SHMEMD_GDA_BNXT);
	failed |= try(&strict_ionic, SHMEMD_GDA_IONIC);
	strict_ionic_collapsed = 1;
	return try(&strict_ionic, SHMEMD_GDA_IONIC) | failed;
}
