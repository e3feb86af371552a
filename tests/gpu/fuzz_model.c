/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

static struct fuzz_area *model;

size_t fuzz_op_count(void)
{
	return (size_t)(gpu_n * FUZZ_AREAS * FUZZ_SLOTS);
}

void fuzz_model_new(void)
{
	model = calloc((size_t)(gpu_n * FUZZ_AREAS), sizeof(*model));
	if (!model)
		shmem_global_exit(1);
}

struct fuzz_area *fuzz_model(int pe, int area)
{
	return &model[pe * FUZZ_AREAS + area];
}

static int is_strided(const struct fuzz_op *op)
{
	return op->kind == FUZZ_IPUT || op->kind == FUZZ_IBPUT ||
	       op->kind == FUZZ_IGET;
}

static int is_word(const struct fuzz_op *op)
{
	return op->kind == FUZZ_P || op->kind == FUZZ_SET ||
	       op->kind == FUZZ_SWAP;
}

/* Kinds that kernels have in one scope only. */
static int thread_only(const struct fuzz_op *op)
{
	return op->kind >= FUZZ_P && op->kind <= FUZZ_XOR;
}

static void op_make(struct fuzz_op *op, uint64_t *state)
{
	op->kind = (int)gpu_below(state, FUZZ_KINDS);
	op->scope = thread_only(op) ? 0 : (int)gpu_below(state, 3);
	op->item = (int)gpu_below(state, FUZZ_ITEMS);
	op->counter = (int)gpu_below(state, FUZZ_COUNTERS / 2);
	op->from_area = (int)gpu_below(state, FUZZ_AREAS);
	op->bytes = gpu_below(state, 3) ? gpu_below(state, 65) :
					  gpu_below(state, FUZZ_SLOT_BYTES);
	op->at = gpu_below(state, FUZZ_SLOT_BYTES - op->bytes + 1);
	op->from = gpu_below(state, (size_t)(gpu_n * FUZZ_SLOTS - 2) *
					    FUZZ_SLOT_BYTES);
	op->stride = 1 + gpu_below(state, 5);
	op->nelems = gpu_below(state, FUZZ_SLOT_BYTES / 8 / op->stride);
	op->value = gpu_random(state);
	if (is_strided(op))
		op->from &= ~(size_t)7;
	if (is_word(op))
		op->at = op->at % (FUZZ_SLOT_BYTES - 8) & ~(size_t)7;
}

/* Slot s of PE t belongs to one origin, another in each step. */
void fuzz_make(uint64_t seed, int step, int origin, struct fuzz_op *ops)
{
	const size_t count = fuzz_op_count();
	uint64_t state = seed + (uint64_t)(step * 1000 + origin) * 977;

	for (size_t i = 0; i < count; i++) {
		struct fuzz_op *op = &ops[(i * 7 + (size_t)step) % count];
		const int stripe = (origin + step) % gpu_n;

		if (count % 7 == 0)
			op = &ops[i];
		memset(op, 0, sizeof(*op));
		op_make(op, &state);
		op->target = (int)i / (FUZZ_AREAS * FUZZ_SLOTS);
		op->area = (int)i / FUZZ_SLOTS % FUZZ_AREAS;
		op->slot = stripe * FUZZ_SLOTS + (int)i % FUZZ_SLOTS;
	}
}

static void apply_strided(const struct fuzz_op *op, unsigned char *slot,
			  const unsigned char *from)
{
	const size_t block = op->kind == FUZZ_IPUT ? 4 : 8;

	for (size_t i = 0; i < op->nelems; i++)
		memcpy(slot + block * i * op->stride, from + block * i, block);
}

void fuzz_apply(const struct fuzz_op *op, int origin, int half)
{
	struct fuzz_area *target = fuzz_model(op->target, op->area);
	unsigned char *slot = target->bytes[half] + op->slot * FUZZ_SLOT_BYTES;
	const unsigned char *from =
		fuzz_model(origin, op->from_area)->bytes[!half] + op->from;

	switch (op->kind) {
	case FUZZ_PUT_SIGNAL:
	case FUZZ_PUT_SIGNAL_NBI:
		target->signal += op->value;
		memcpy(slot + op->at, from, op->bytes);
		break;
	case FUZZ_PUT:
	case FUZZ_PUT_NBI:
		memcpy(slot + op->at, from, op->bytes);
		break;
	case FUZZ_IPUT:
	case FUZZ_IBPUT:
		apply_strided(op, slot, from);
		break;
	case FUZZ_P:
	case FUZZ_SET:
	case FUZZ_SWAP:
		memcpy(slot + op->at, &op->value, 8);
		break;
	case FUZZ_ADD:
	case FUZZ_FETCH_ADD:
	case FUZZ_SIGNAL_ADD:
		target->counters[op->counter] += op->value;
		break;
	case FUZZ_XOR:
		target->counters[FUZZ_COUNTERS / 2 + op->counter] ^= op->value;
		break;
	default:
		break;
	}
}

size_t fuzz_got(const struct fuzz_op *op, int half, unsigned char *want)
{
	const unsigned char *far =
		fuzz_model(op->target, op->from_area)->bytes[!half] + op->from;

	if (op->kind == FUZZ_GET || op->kind == FUZZ_GET_NBI) {
		memcpy(want, far, op->bytes);
		return op->bytes;
	}
	if (op->kind != FUZZ_IGET)
		return 0;
	for (size_t i = 0; i < op->nelems; i++)
		memcpy(want + 4 * i, far + 4 * i * op->stride, 4);
	return 4 * op->nelems;
}
