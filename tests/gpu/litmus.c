/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory ordering by small races of kernels on two PEs, many times: store
 * buffering (quiet), message passing by each pair of orderings of
 * <shmem/device/order.h>, put with signal of all sizes, atomics behind a fence,
 * and a message handed on by a third PE.
 *
 * litmus_weak.c leaves quiet out of store buffering, which must show; x86 keeps
 * the order of the others by itself.
 * PES: 2 3 4 8
 */
#include "call.h"
#include <shmem/device/order.h>
#include <shmem/device/reach.h>

enum { LAP = 256, LAPS = 60, ITEMS = 100, WORDS = 600 };

/* Arrays of LAP words, zero before a lap; data: a payload of WORDS for each. */
struct race {
	int me, last, lap;
	uint64_t *x, *y, *z, *seen;
	uint64_t *data, *source;
	uint64_t *wrong;
};

SHMEMX_FN void race_wrong(const struct race *r)
{
	shmem_uint64_atomic_inc(r->wrong, r->me);
}

SHMEMX_FN void race_quiet(void)
{
#ifdef LITMUS_WEAK
	__asm__ volatile("" ::: "memory");
#else
	shmem_quiet();
#endif
}

/* Both start at once, write to each other, and read what the other wrote. */
SHMEMX_KERNEL(store_buffering, struct race, a)
{
	uint64_t *mine = a.me ? a.y : a.x, *other = a.me ? a.x : a.y;

	for (int i = 0; i < LAP; i++) {
		shmem_uint64_p(&a.z[i], 1, 1 - a.me);
		shmem_uint64_wait_until(&a.z[i], SHMEM_CMP_EQ, 1);
		shmem_uint64_p(&mine[i], 1, 1 - a.me);
		race_quiet();
		a.seen[i] = shmem_uint64_g(&other[i], a.me);
	}
}

/* By what programs use: a fence, and a wait. */
SHMEMX_KERNEL(message_passing, struct race, a)
{
	for (int i = 0; i < LAP; i++) {
		if (a.me == 0) {
			shmem_uint64_p(&a.x[i], 1, 1);
			shmem_fence();
			shmem_uint64_p(&a.y[i], 1, 1);
			continue;
		}
		if (i % 2)
			shmem_uint64_wait_until(&a.y[i], SHMEM_CMP_EQ, 1);
		else
			while (!shmem_uint64_atomic_fetch(&a.y[i], 1))
				continue;
		if (shmem_uint64_g(&a.x[i], 1) != 1)
			race_wrong(&a);
	}
}

/* What any work-item of a group wrote, behind one item's flag. */
SHMEMX_FN void ordered_write(const struct race *r, int i)
{
	uint64_t *data = (uint64_t *)shmemd_reach("litmus", r->data, 1);
	uint64_t *flags = (uint64_t *)shmemd_reach("litmus", r->y, 1);

	for (unsigned int k = shmemx_item(); k < WORDS; k += shmemx_nitems())
		shmemd_store64(data + i % 8 * WORDS + k, r->lap * LAP + i + k);
	shmemd_payload_before_flag(SHMEMD_WG, shmemx_item() == 0);
	if (shmemx_item() == 0)
		shmemd_store64(flags + i, 1);
}

SHMEMX_FN void ordered_read(const struct race *r, int i)
{
	const uint64_t *data = r->data + i % 8 * WORDS;
	struct shmemd_pause pause = { 0 };

	if (shmemx_item() == 0)
		while (!shmemd_load64(&r->y[i]))
			shmemd_pause(&pause);
	shmemd_flag_before_payload(SHMEMD_WG);
	for (unsigned int k = shmemx_item(); k < WORDS; k += shmemx_nitems())
		if (shmemd_load64(data + WORDS - 1 - k) !=
		    (uint64_t)(r->lap * LAP + i) + WORDS - 1 - k)
			race_wrong(r);
	shmemx_wg_barrier();
	if (shmemx_item() == 0)
		shmem_uint64_p(&r->z[i], 1, 0);
}

/* The writer runs ahead by as many messages as there are buffers. */
SHMEMX_KERNEL(payload_before_flag, struct race, a)
{
	for (int i = 0; i < LAP; i++) {
		if (a.me == 1) {
			ordered_read(&a, i);
			continue;
		}
		if (i >= 8)
			shmemx_uint64_wait_until_wg(&a.z[i - 8], SHMEM_CMP_EQ,
						    1);
		ordered_write(&a, i);
	}
}

/* One item's release and acquire. */
SHMEMX_KERNEL(flag_store_load, struct race, a)
{
	struct shmemd_pause pause = { 0 };

	for (int i = 0; i < LAP; i++) {
		if (a.me == 0) {
			uint64_t *x =
				(uint64_t *)shmemd_reach("litmus", a.x, 1);
			uint64_t *y =
				(uint64_t *)shmemd_reach("litmus", a.y, 1);

			shmemd_store64(x + i, 1);
			shmemd_flag_store(y + i, 1);
			continue;
		}
		while (!shmemd_flag_load(&a.y[i]))
			shmemd_pause(&pause);
		if (shmemd_load64(&a.x[i]) != 1)
			race_wrong(&a);
	}
}

SHMEMX_FN size_t payload_words(const struct race *r, int i)
{
	return (size_t)(i * 5 + r->lap * 3) % WORDS;
}

SHMEMX_FN void signal_read(const struct race *r, int i)
{
	const volatile uint64_t *data = r->data + i % 8 * WORDS;

	shmemx_signal_wait_until_wg(&r->y[i], SHMEM_CMP_EQ, 1);
	for (size_t k = shmemx_item(); k < payload_words(r, i);
	     k += shmemx_nitems())
		if (data[k] != (uint64_t)(r->lap * LAP + i) + k)
			race_wrong(r);
	shmemx_wg_barrier();
	if (shmemx_item() == 0)
		shmem_uint64_p(&r->z[i], 1, 0);
}

SHMEMX_FN void signal_write(const struct race *r, int i)
{
	uint64_t *source = r->source + i % 8 * WORDS;
	const size_t words = payload_words(r, i);

	for (size_t k = shmemx_item(); k < words; k += shmemx_nitems())
		source[k] = (uint64_t)(r->lap * LAP + i) + k;
	if (i % 3)
		shmemx_uint64_put_signal_wg(r->data + i % 8 * WORDS, source,
					    words, &r->y[i], 1,
					    SHMEM_SIGNAL_SET, 1);
	else
		shmemx_uint64_put_signal_nbi_wg(r->data + i % 8 * WORDS, source,
						words, &r->y[i], 1,
						SHMEM_SIGNAL_ADD, 1);
}

SHMEMX_KERNEL(put_signal, struct race, a)
{
	for (int i = 0; i < LAP; i++) {
		if (a.me == 1) {
			signal_read(&a, i);
			continue;
		}
		if (i >= 8)
			shmemx_uint64_wait_until_wg(&a.z[i - 8], SHMEM_CMP_EQ,
						    1);
		signal_write(&a, i);
	}
}

/* Atomics of all items, a fence of the group, one atomic that tells. */
SHMEMX_KERNEL(amo_order, struct race, a)
{
	for (int i = 0; i < LAP; i++) {
		if (a.me == 0) {
			shmem_uint64_atomic_inc(&a.x[i], 1);
			shmemx_fence_wg();
			if (shmemx_item() == 0)
				shmem_uint64_atomic_inc(&a.y[i], 1);
			continue;
		}
		shmem_uint64_wait_until(&a.y[i], SHMEM_CMP_EQ, 1);
		if (shmem_uint64_atomic_fetch(&a.x[i], 1) != shmemx_nitems())
			race_wrong(&a);
	}
}

/* PE 0 writes to the last PE and tells PE 1, which tells the last. */
SHMEMX_KERNEL(handed_on, struct race, a)
{
	for (int i = 0; i < LAP; i++) {
		if (a.me == 0) {
			shmem_uint64_p(&a.x[i], 1, a.last);
			shmem_quiet();
			shmem_uint64_p(&a.y[i], 1, 1);
		} else if (a.me == 1) {
			shmem_uint64_wait_until(&a.y[i], SHMEM_CMP_EQ, 1);
			shmem_uint64_p(&a.z[i], 1, a.last);
		}
		if (a.me != a.last)
			continue;
		shmem_uint64_wait_until(&a.z[i], SHMEM_CMP_EQ, 1);
		if (shmem_uint64_g(&a.x[i], a.last) != 1)
			race_wrong(&a);
	}
}

/* What runs on PEs 0, 1 and, if it has a part, the last. */
struct litmus {
	const char *name;
	const struct shmemx_kernel *kernel;
	int n_items, third;
	int stores; /* by itself, to the memory of PE 1 */
};

static const struct litmus tests[] = {
	{ "store_buffering", SHMEMX_KERNEL_REF(store_buffering), 1, 0, 0 },
	{ "message_passing", SHMEMX_KERNEL_REF(message_passing), 1, 0, 0 },
	{ "payload_before_flag", SHMEMX_KERNEL_REF(payload_before_flag), ITEMS,
	  0, 1 },
	{ "flag_store_load", SHMEMX_KERNEL_REF(flag_store_load), 1, 0, 1 },
	{ "put_signal", SHMEMX_KERNEL_REF(put_signal), ITEMS, 0, 0 },
	{ "amo_order", SHMEMX_KERNEL_REF(amo_order), ITEMS, 0, 0 },
	{ "handed_on", SHMEMX_KERNEL_REF(handed_on), 1, 1, 0 },
};

static struct gpu_mem flags, payload;
static struct race race;

/* Neither saw the other's write: each was held back behind a read. */
static uint64_t both_zero(void)
{
	const uint64_t *mine = (const uint64_t *)flags.host + 3 * LAP;
	uint64_t other[LAP], violations = 0;

	shmem_barrier_all();
	shmem_getmem(other, race.seen, sizeof(other), 1);
	for (int i = 0; i < LAP; i++)
		violations += !mine[i] && !other[i];
	shmem_barrier_all();
	return gpu_me ? 0 : violations;
}

static uint64_t lap_run(const struct litmus *t, int lap)
{
	race.lap = lap;
	gpu_mem_fill(&flags, 0, flags.bytes);
	shmem_barrier_all();
	if (gpu_me < 2 || (t->third && gpu_me == race.last))
		GPU_CHECK_EQ(shmemx_launch(t->kernel, 1, t->n_items, &race,
					   sizeof(race), NULL),
			     0);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(&flags, flags.bytes);
	if (t == &tests[0])
		return both_zero();
	return ((uint64_t *)flags.host)[4 * LAP];
}

/* Whether PEs 0 and 1 store to each other. All PEs call it. */
static int is_near(void)
{
	static long near, answer;

	near = shmem_ptr(race.x, 1) != NULL;
	shmem_long_broadcast(SHMEM_TEAM_WORLD, &answer, &near, 1, 0);
	return answer != 0;
}

static uint64_t test_run(const struct litmus *t)
{
	/* Far ones take longer, and less of it is left to chance. */
	const int near = is_near();
	const int laps = near ? LAPS : LAPS / 8;
	uint64_t wrong = 0;

	for (int lap = 0; lap < laps && (near || !t->stores); lap++)
		wrong += lap_run(t, lap);
	return wrong;
}

static void race_make(void)
{
	uint64_t *words;

	flags = gpu_mem_new((4 * LAP + 1) * sizeof(uint64_t));
	payload = gpu_mem_new(2 * 8 * WORDS * sizeof(uint64_t));
	words = (uint64_t *)flags.dev;
	race.me = gpu_me;
	race.last = gpu_n - 1;
	race.x = words;
	race.y = words + LAP;
	race.z = words + 2 * LAP;
	race.seen = words + 3 * LAP;
	race.wrong = words + 4 * LAP;
	race.data = (uint64_t *)payload.dev;
	race.source = race.data + 8 * WORDS;
}

int main(void)
{
	uint64_t wrong;

	gpu_begin();
	race_make();
#ifdef LITMUS_WEAK
	wrong = test_run(&tests[0]);
	if (!gpu_me && !wrong)
		printf("without quiet, none of %d rounds showed it\n",
		       LAPS * LAP);
	return gpu_end() ? 1 : gpu_me || wrong ? 0 : 77;
#else
	for (size_t i = 0; i < GPU_COUNT(tests); i++) {
		wrong = test_run(&tests[i]);
		if (wrong)
			gpu_fail("%s: wrong %d times", tests[i].name,
				 (int)wrong);
	}
	return gpu_end();
#endif
}
