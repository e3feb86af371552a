/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random operations of kernels, by random scopes, on random addresses of both
 * heaps of all PEs, against a model. SEED and STEPS set how.
 * PES: all
 */
#include "call.h"
#include "fuzz.h"

struct run {
	struct fuzz_area *areas[FUZZ_AREAS];
	const struct fuzz_op *ops;
	unsigned char *results; /* a slot for each operation */
	int count, half;
};

#define TRANSFER transfer_thread
#define FORM(stem) shmem_##stem
#include "fuzz_op.inc"
#undef TRANSFER
#undef FORM
#define TRANSFER transfer_wave
#define FORM(stem) shmemx_##stem##_wave
#include "fuzz_op.inc"
#undef TRANSFER
#undef FORM
#define TRANSFER transfer_wg
#define FORM(stem) shmemx_##stem##_wg
#include "fuzz_op.inc"

/* What kernels have for one work-item only. */
SHMEMX_FN void word(const struct run *r, const struct fuzz_op *op,
		    unsigned char *to)
{
	uint64_t *counter = &r->areas[op->area]->counters[op->counter];
	uint64_t *at = (uint64_t *)(to + op->at);

	switch (op->kind) {
	case FUZZ_P:
		shmem_uint64_p(at, op->value, op->target);
		break;
	case FUZZ_SET:
		shmem_uint64_atomic_set(at, op->value, op->target);
		break;
	case FUZZ_SWAP:
		shmem_uint64_atomic_swap(at, op->value, op->target);
		break;
	case FUZZ_ADD:
		shmem_uint64_atomic_add(counter, op->value, op->target);
		break;
	case FUZZ_FETCH_ADD:
		shmem_uint64_atomic_fetch_add(counter, op->value, op->target);
		break;
	case FUZZ_SIGNAL_ADD:
		shmem_signal_add(counter, op->value, op->target);
		break;
	default:
		shmem_uint64_atomic_xor(counter + FUZZ_COUNTERS / 2, op->value,
					op->target);
	}
}

SHMEMX_FN void operate(const struct run *r, int i)
{
	const struct fuzz_op *op = &r->ops[i];
	const unsigned int item = shmemx_item(), wave = shmemx_wave_size();
	const unsigned int caller = (unsigned int)op->item;
	unsigned char *to = r->areas[op->area]->bytes[r->half] +
			    op->slot * FUZZ_SLOT_BYTES;
	unsigned char *result = r->results + i * FUZZ_SLOT_BYTES;

	if (op->scope == 2)
		transfer_wg(r, op, to, result);
	else if (op->scope == 1 && item / wave == caller / wave)
		transfer_wave(r, op, to, result);
	else if (op->scope == 0 && item == caller && op->kind >= FUZZ_P &&
		 op->kind <= FUZZ_XOR)
		word(r, op, to);
	else if (op->scope == 0 && item == caller)
		transfer_thread(r, op, to, result);
}

/* Work-groups share the operations out; a work-item makes its own in order. */
SHMEMX_KERNEL(fuzz_step, struct run, a)
{
	for (int i = (int)shmemx_wg(); i < a.count; i += (int)shmemx_nwgs())
		operate(&a, i);
	shmem_quiet();
}

static struct run run;
static struct fuzz_op *ops;
static unsigned char *results, *slots;

static void check_results(int step)
{
	unsigned char want[FUZZ_SLOT_BYTES];

	GPU_CHECK_EQ(shmemx_memcpy(results, run.results,
				   (size_t)run.count * FUZZ_SLOT_BYTES), 0);
	for (int i = 0; i < run.count; i++) {
		const size_t bytes = fuzz_got(&ops[i], run.half, want);

		if (!gpu_same("get", results + (size_t)i * FUZZ_SLOT_BYTES,
			      want, bytes))
			gpu_fail("step %d, operation %d, kind %d, scope %d",
				 step, i, ops[i].kind, ops[i].scope);
	}
}

static void check_areas(int step)
{
	struct fuzz_area *got = (struct fuzz_area *)slots;

	for (int a = 0; a < FUZZ_AREAS; a++) {
		const struct fuzz_area *want = fuzz_model(gpu_me, a);

		GPU_CHECK_EQ(shmemx_memcpy(got, run.areas[a], sizeof(*got)), 0);
		if (!gpu_same("area", got->bytes[run.half],
			      want->bytes[run.half], FUZZ_HALF_BYTES))
			gpu_fail("step %d, area %d", step, a);
		GPU_CHECK(!memcmp(got->counters, want->counters,
				  sizeof(got->counters)));
		GPU_CHECK_EQ(got->signal, want->signal);
	}
}

static void step_run(int step)
{
	struct fuzz_op others[FUZZ_MAX_OPS];
	const size_t count = fuzz_op_count();

	run.half = step % 2;
	run.count = (int)count;
	for (int origin = 0; origin < gpu_n; origin++) {
		struct fuzz_op *list = origin == gpu_me ? ops : others;

		fuzz_make(gpu_seed, step, origin, list);
		for (size_t i = 0; i < count; i++)
			fuzz_apply(&list[i], origin, run.half);
	}
	GPU_CHECK_EQ(shmemx_memcpy((void *)run.ops, ops, count * sizeof(*ops)),
		     0);
	GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(fuzz_step), FUZZ_WGS,
				   FUZZ_ITEMS, &run, sizeof(run), NULL), 0);
	gpu_sync();
	shmem_barrier_all();
	check_results(step);
	check_areas(step);
	shmem_barrier_all();
}

int main(void)
{
	const char *steps = getenv("STEPS");

	gpu_begin();
	if (gpu_n > FUZZ_MAX_PES) {
		if (!gpu_me)
			printf("for %d PEs at most\n", FUZZ_MAX_PES);
		gpu_end();
		return 77;
	}
	fuzz_model_new();
	run.areas[0] = (struct fuzz_area *)shmem_malloc(sizeof(*run.areas[0]));
	run.areas[1] = (struct fuzz_area *)shmemx_malloc_host(
		sizeof(*run.areas[1]));
	run.ops = (const struct fuzz_op *)shmemx_device_alloc(FUZZ_MAX_OPS *
							      sizeof(*ops));
	run.results = (unsigned char *)shmemx_device_alloc(FUZZ_MAX_OPS *
							   FUZZ_SLOT_BYTES);
	ops = (struct fuzz_op *)calloc(FUZZ_MAX_OPS, sizeof(*ops));
	results = (unsigned char *)calloc(FUZZ_MAX_OPS, FUZZ_SLOT_BYTES);
	slots = (unsigned char *)calloc(1, sizeof(struct fuzz_area));
	for (int a = 0; a < FUZZ_AREAS; a++)
		shmemx_memset(run.areas[a], 0, sizeof(*run.areas[a]));
	shmem_barrier_all();
	for (int step = 0; step < (steps ? atoi(steps) : 40); step++)
		step_run(step);
	return gpu_end();
}
