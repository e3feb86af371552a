/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random puts, gets, strided transfers, atomics and signals of all sizes and
 * alignments between heap and static data of all PEs, in phases, against a
 * model of all PEs' memory that each PE keeps. In a phase one half of each
 * area is only read and each slot of the other is written by one operation.
 * PES: 1 2 3 4 8
 */
#include "check.h"

#define MAX_PES 16
#define SLOTS 6
#define SLOT_BYTES 1024
#define HALF_BYTES (MAX_PES * SLOTS * SLOT_BYTES)
#define COUNTERS 16
#define PHASES 30
#define BIG_BYTES (3 << 20)

enum { HEAP, STATIC, AREAS };

struct area {
	unsigned char bytes[2][HALF_BYTES];
	uint64_t counters[COUNTERS];
	uint64_t signal;
};

/* One operation of one PE on one slot of another's memory. */
struct op {
	int target, area, slot;
	int kind;
	size_t at, length; /* in the slot */
	int from_area; /* the local end of a put, the far end of a get */
	size_t from;
	uint64_t value;
	int counter;
};

static struct area in_static;
static struct area *areas[AREAS];
static struct area *model; /* [pe * AREAS + area] */
static int me, n, half;

static struct area *model_of(int pe, int area)
{
	return &model[pe * AREAS + area];
}

static struct op op_make(uint64_t *state, int phase, int origin, int target,
			 int area, int slot)
{
	struct op op = { .target = target, .area = area };
	int stripe = (origin + phase) % n;

	op.slot = stripe * SLOTS + slot;
	op.kind = (int)check_below(state, 16);
	op.length = check_random(state) % 3 ? check_below(state, 65) :
					      check_below(state, SLOT_BYTES);
	op.at = check_below(state, SLOT_BYTES - op.length + 1);
	op.from_area = (int)check_below(state, AREAS);
	op.from = check_below(state, HALF_BYTES - 2 * SLOT_BYTES);
	op.value = check_random(state);
	op.counter = (int)check_below(state, COUNTERS / 2);
	return op;
}

/* Strided kinds: elements of 4 bytes, as many as fit with this stride. */
static size_t stride_count(const struct op *op, size_t *stride, size_t *from)
{
	*stride = 1 + op->value % 5;
	*from = op->from & ~(size_t)7;
	return (SLOT_BYTES / 4) / *stride * (op->value % 3) / 2;
}

static void model_run(const struct op *op, int origin)
{
	struct area *target = model_of(op->target, op->area);
	unsigned char *slot = target->bytes[half] + op->slot * SLOT_BYTES;
	const unsigned char *local =
		model_of(origin, op->from_area)->bytes[!half];
	size_t stride, from, count = stride_count(op, &stride, &from);

	switch (op->kind) {
	case 0: case 1: case 2:
		memcpy(slot + op->at, local + op->from, op->length);
		break;
	case 3:
		memcpy(slot + op->at, local + op->from, op->length);
		target->signal += op->value;
		break;
	case 4: /* iput */
		for (size_t i = 0; i < count; i++)
			memcpy(slot + 4 * i * stride, local + from + 4 * i, 4);
		break;
	case 5: /* ibput: blocks of 2 */
		for (size_t i = 0; i < count / 2; i++)
			memcpy(slot + 8 * i * stride, local + from + 8 * i, 8);
		break;
	case 6:
		memcpy(slot + (op->at & ~(size_t)7) % 1016, &op->value, 8);
		break;
	case 7:
		memcpy(slot + (op->at & ~(size_t)3) % 1020, &op->value, 4);
		break;
	case 8: case 9: case 10:
		target->counters[op->counter] += op->value;
		break;
	case 11:
		target->counters[COUNTERS / 2 + op->counter] ^= op->value;
		break;
	default:
		break;
	}
}

static void get(const struct op *op)
{
	static unsigned char buffer[SLOT_BYTES];
	const unsigned char *far = areas[op->from_area]->bytes[!half];
	const unsigned char *want =
		model_of(op->target, op->from_area)->bytes[!half] + op->from;

	if (op->kind == 12)
		shmem_getmem(buffer, far + op->from, op->length, op->target);
	else
		shmem_getmem_nbi(buffer, far + op->from, op->length,
				 op->target);
	shmem_quiet();
	CHECK(!memcmp(buffer, want, op->length));
}

static void iget(const struct op *op)
{
	uint32_t buffer[SLOT_BYTES / 4];
	size_t stride, from, count = stride_count(op, &stride, &from);
	const unsigned char *far = areas[op->from_area]->bytes[!half];
	const unsigned char *want =
		model_of(op->target, op->from_area)->bytes[!half] + from;

	shmem_iget32(buffer, far + from, 1, (ptrdiff_t)stride, count,
		     op->target);
	for (size_t i = 0; i < count; i++)
		CHECK(!memcmp(&buffer[i], want + 4 * i * stride, 4));
}

static void count(const struct op *op, uint64_t *counters)
{
	if (op->kind == 8)
		shmem_uint64_atomic_add(&counters[op->counter], op->value,
					op->target);
	else if (op->kind == 9)
		shmem_uint64_atomic_fetch_add(&counters[op->counter],
					      op->value, op->target);
	else if (op->kind == 10)
		shmem_signal_add(&counters[op->counter], op->value,
				 op->target);
	else
		shmem_uint64_atomic_xor(&counters[COUNTERS / 2 + op->counter],
					op->value, op->target);
}

static void run(const struct op *op)
{
	struct area *area = areas[op->area];
	unsigned char *slot = area->bytes[half] + op->slot * SLOT_BYTES;
	unsigned char *local = areas[op->from_area]->bytes[!half];
	size_t stride, from, elems = stride_count(op, &stride, &from);

	switch (op->kind) {
	case 0: case 1:
		shmem_putmem(slot + op->at, local + op->from, op->length,
			     op->target);
		break;
	case 2:
		shmem_putmem_nbi(slot + op->at, local + op->from, op->length,
				 op->target);
		break;
	case 3:
		shmem_putmem_signal(slot + op->at, local + op->from,
				    op->length, &area->signal, op->value,
				    SHMEM_SIGNAL_ADD, op->target);
		break;
	case 4:
		shmem_iput32(slot, local + from, (ptrdiff_t)stride, 1, elems,
			     op->target);
		break;
	case 5:
		shmem_ibput32(slot, local + from, (ptrdiff_t)stride * 2, 2, 2,
			      elems / 2, op->target);
		break;
	case 6:
		shmem_uint64_atomic_set(
			(uint64_t *)(slot + (op->at & ~(size_t)7) % 1016),
			op->value, op->target);
		break;
	case 7:
		shmem_uint32_atomic_swap(
			(uint32_t *)(slot + (op->at & ~(size_t)3) % 1020),
			(uint32_t)op->value, op->target);
		break;
	case 12: case 13:
		get(op);
		break;
	case 14: case 15:
		iget(op);
		break;
	default:
		count(op, area->counters);
	}
}

/* All PEs make everybody's operations; each runs its own. */
static void phase_run(uint64_t seed, int phase)
{
	for (int origin = 0; origin < n; origin++) {
		uint64_t state = seed + (uint64_t)(phase * 1000 + origin) * 977;

		for (int i = 0; i < n * AREAS * SLOTS; i++) {
			int k = i * 5 % (n * AREAS * SLOTS);
			struct op op;

			if (n * AREAS * SLOTS % 5 == 0)
				k = i;
			op = op_make(&state, phase, origin,
				     k / (AREAS * SLOTS), k / SLOTS % AREAS,
				     k % SLOTS);
			model_run(&op, origin);
			if (origin == me)
				run(&op);
		}
	}
}

static void compare(int phase)
{
	for (int a = 0; a < AREAS; a++) {
		const struct area *want = model_of(me, a);
		size_t i = 0;

		while (i < HALF_BYTES &&
		       areas[a]->bytes[half][i] == want->bytes[half][i])
			i++;
		if (i < HALF_BYTES)
			fprintf(stderr, "phase %d, area %d, byte %zu\n", phase,
				a, i);
		CHECK_EQ(i, HALF_BYTES);
		CHECK(!memcmp(areas[a]->counters, want->counters,
			      sizeof(want->counters)));
		CHECK_EQ(areas[a]->signal, want->signal);
	}
}

/* Large transfers, where copies may go another way. */
static void big(uint64_t seed, unsigned char *dest, unsigned char *source)
{
	uint64_t state = seed;

	for (int i = 0; i < 6; i++) {
		size_t length = check_below(&state, BIG_BYTES);
		size_t at = check_below(&state, BIG_BYTES - length + 1);
		size_t from = check_below(&state, BIG_BYTES - length + 1);
		int shift = (int)check_below(&state, (size_t)n);
		int writer = (me + n - shift) % n;

		for (size_t k = 0; k < BIG_BYTES; k++)
			source[k] = (unsigned char)(k * 31 + k / 251 +
						    (size_t)(me + i));
		memset(dest, 0xaa, BIG_BYTES);
		shmem_barrier_all();
		shmem_putmem(dest + at, source + from, length,
			     (me + shift) % n);
		shmem_barrier_all();
		for (size_t k = 0; k < BIG_BYTES; k++) {
			size_t s = from + k - at;
			int inside = k >= at && k < at + length;
			unsigned char want =
				(unsigned char)(s * 31 + s / 251 +
						(size_t)(writer + i));

			CHECK_EQ(dest[k], inside ? want : 0xaa);
		}
		shmem_barrier_all();
	}
}

int main(void)
{
	unsigned char *dest, *source;
	uint64_t seed;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	if (n > MAX_PES) {
		if (!me)
			printf("for %d PEs at most\n", MAX_PES);
		shmem_finalize();
		return 77;
	}
	seed = check_seed();
	areas[HEAP] = shmem_calloc(1, sizeof(struct area));
	areas[STATIC] = &in_static;
	model = calloc((size_t)n * AREAS, sizeof(*model));
	for (int phase = 0; phase < PHASES; phase++) {
		half = phase % 2;
		phase_run(seed, phase);
		shmem_barrier_all();
		compare(phase);
		shmem_barrier_all();
	}
	dest = shmem_malloc(BIG_BYTES);
	source = malloc(BIG_BYTES);
	big(seed, dest, source);
	free(source);
	free(model);
	return check_end();
}
