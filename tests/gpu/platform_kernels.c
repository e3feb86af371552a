/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels on the cpu platform: who a work-item is, barriers, values for all,
 * waits between work-groups, waves of 32 and 64 with a shorter last one,
 * work-items that end early, and more of them than there are stacks for.
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <shmem/device/arch.h>

#include "gpu/cpu/cpu.h"
#include "platform.h"

#define ITEMS 200 /* no multiple of a wave */
#define WGS 3
#define ROUNDS 5

static uint64_t cell[WGS][1024];
static uint64_t counter, held, met;
static int wave_size;

static void kernel_identity(const void *args)
{
	const unsigned int i = shmemd_item(), w = (unsigned int)wave_size;
	const unsigned int rest = ITEMS - i / w * w;

	CHECK(*(const int *)args == 42);
	CHECK(shmemd_in_kernel() && i < ITEMS && shmemd_wg() < WGS);
	CHECK(shmemd_nitems() == ITEMS && shmemd_nwgs() == WGS);
	CHECK(shmemd_wave_size() == w && shmemd_lane() == i % w);
	CHECK(shmemd_wave_items() == (rest < w ? rest : w));
	cell[shmemd_wg()][i]++;
}

static void test_identity(void)
{
	const int answer = 42;

	memset(cell, 0, sizeof(cell));
	kernel_run(kernel_identity, WGS, ITEMS, &answer, sizeof(answer));
	for (int wg = 0; wg < WGS; wg++)
		for (int i = 0; i < 1024; i++)
			CHECK(cell[wg][i] == (i < ITEMS));
}

/* Plain stores, so that TSan sees whether a barrier orders them. */
static void kernel_wg_barrier(const void *args)
{
	uint64_t *mine = cell[shmemd_wg()];
	const unsigned int n = shmemd_nitems(), i = shmemd_item();

	(void)args;
	for (unsigned int round = 1; round <= ROUNDS; round++) {
		mine[i] = round * 1000 + i;
		shmemd_wg_barrier();
		for (unsigned int k = 0; k < n; k += 17)
			CHECK(mine[k] == round * 1000 + k);
		shmemd_wg_barrier();
	}
}

static void kernel_wave_barrier(const void *args)
{
	uint64_t *mine = cell[shmemd_wg()] + shmemd_item() - shmemd_lane();
	const unsigned int n = shmemd_wave_items(), i = shmemd_lane();

	(void)args;
	for (unsigned int round = 1; round <= ROUNDS; round++) {
		mine[i] = round * 1000 + i;
		shmemd_wave_barrier();
		for (unsigned int k = 0; k < n; k++)
			CHECK(mine[k] == round * 1000 + k);
		shmemd_wave_barrier();
	}
}

/* Waves that meet more often than others meet the work-group. */
static void kernel_values(const void *args)
{
	const unsigned int i = shmemd_item(), n = shmemd_nitems();
	const unsigned int wave = i / shmemd_wave_size();

	(void)args;
	for (uint64_t round = 1; round <= ROUNDS; round++) {
		for (unsigned int k = 0; k < wave; k++)
			CHECK(shmemd_wave_bcast(shmemd_lane() + round) ==
			      round);
		CHECK(shmemd_wave_get(i + (round << 40),
				      (unsigned int)(round + i) %
					      shmemd_wave_items()) ==
		      (round << 40) + i - shmemd_lane() +
			      (round + i) % shmemd_wave_items());
		CHECK(shmemd_wg_bcast(i + (round << 40)) == round << 40);
		CHECK(shmemd_wg_sum(i + round) ==
		      (uint64_t)n * (n - 1) / 2 + n * round);
	}
}

/* Item 0 of each work-group waits for all others to come. */
static void kernel_grid_barrier(const void *args)
{
	struct shmemd_pause pause = { 0 };

	(void)args;
	for (unsigned int round = 1; round <= ROUNDS; round++) {
		shmemd_wg_barrier();
		if (!shmemd_item()) {
			shmemd_amo64(SHMEMD_ADD, &counter, 1, 0);
			while (shmemd_load64(&counter) < round * shmemd_nwgs())
				shmemd_pause(&pause);
		}
		shmemd_wg_barrier();
	}
}

static void test_grid(int n_wgs, int n_items)
{
	counter = 0;
	kernel_run(kernel_grid_barrier, n_wgs, n_items, NULL, 0);
	CHECK(counter == (uint64_t)(ROUNDS * n_wgs));
}

/* Each waits for the one before it, in another work-group at times. */
static void kernel_chain(const void *args)
{
	const unsigned int n = shmemd_nitems() * shmemd_nwgs();
	const unsigned int me = shmemd_item() * shmemd_nwgs() + shmemd_wg();
	struct shmemd_pause pause = { 0 };

	(void)args;
	while (shmemd_load64(&counter) != n - 1 - me)
		shmemd_pause(&pause);
	shmemd_store64(&counter, n - me);
}

/* The same by polls that don't pause. */
static void kernel_chain_polled(const void *args)
{
	const unsigned int n = shmemd_nitems() * shmemd_nwgs();
	const unsigned int me = shmemd_item() * shmemd_nwgs() + shmemd_wg();

	(void)args;
	if (me % 2)
		while (shmemd_load64(&counter) != n - 1 - me)
			;
	else
		while (shmemd_amo64(SHMEMD_FETCH, &counter, 0, 0) != n - 1 - me)
			;
	shmemd_store64(&counter, n - me);
}

/* One meeting of all work-groups, whatever meetings there were before. */
static void kernel_meet(const void *args)
{
	struct shmemd_pause pause = { 0 };

	(void)args;
	if (!shmemd_item()) {
		uint64_t n = shmemd_amo64(SHMEMD_ADD, &met, 1, 0);

		n += shmemd_nwgs() - n % shmemd_nwgs();
		while (shmemd_load64(&met) < n)
			shmemd_pause(&pause);
	}
	shmemd_wg_barrier();
}

static void test_chain(void (*kernel)(const void *))
{
	counter = 0;
	kernel_run(kernel, 4, 33, NULL, 0);
	CHECK(counter == 4 * 33);
}

static void end_deep(unsigned int depth)
{
	volatile char frame[256];

	frame[depth] = (char)!shmemd_in_kernel();
	if (depth && shmemd_in_kernel())
		end_deep(depth - 1);
	else if (shmemd_in_kernel())
		shmemd_end();
	CHECK(!frame[0]);
}

/* All but every third end, some while others wait for them. */
static void kernel_end(const void *args)
{
	const unsigned int i = shmemd_item();

	(void)args;
	shmemd_wg_barrier();
	if (i % 3 == 1)
		end_deep(i % 8);
	shmemd_wave_barrier();
	if (i % 3 == 2) {
		struct shmemd_pause pause = { 0 };

		shmemd_pause(&pause);
		end_deep(3);
	}
	shmemd_wg_barrier();
	CHECK(shmemd_wg_sum(1) == (shmemd_nitems() + 2) / 3);
	shmemd_red64(SHMEMD_ADD, &counter, 1, 0);
}

static void test_end(void)
{
	counter = 0;
	for (int i = 0; i < 3; i++)
		kernel_run(kernel_end, WGS, ITEMS, NULL, 0);
	CHECK(counter == 3 * WGS * ((ITEMS + 2) / 3));
}

static void kernel_count(const void *args)
{
	(void)args;
	shmemd_wg_barrier();
	shmemd_red64(SHMEMD_ADD, &counter, 1, 0);
}

/* More work-groups than fit at once, of which none waits for another. */
static void test_many(void)
{
	const struct shmemg_kernel kernel = { "count", kernel_count, NULL };
	int n_wgs;

	CHECK(!shmemg->max_wgs(&kernel, 1024, &n_wgs));
	CHECK(n_wgs >= 2);
	n_wgs = 2 * n_wgs + 1;
	counter = 0;
	kernel_run(kernel_count, n_wgs, 1024, NULL, 0);
	CHECK(counter == (uint64_t)n_wgs * 1024);
}

/* Until the host says so. */
static void kernel_hold(const void *args)
{
	struct shmemd_pause pause = { 0 };

	(void)args;
	while (!shmemd_load64(&held))
		shmemd_pause(&pause);
	shmemd_red64(SHMEMD_ADD, &counter, 1, 0);
}

/*
 * Streams share the stacks: grids that need more than there are run one after
 * the other, also where work-groups wait for each other, and stacks go from a
 * stream that rests to the next.
 */
static void test_large_grids(void)
{
	const struct shmemg_kernel hold = { "hold", kernel_hold, NULL };
	const struct shmemg_kernel meet = { "meet", kernel_meet, NULL };
	void *stream[4];
	int n_wgs;

	CHECK(!shmemg->max_wgs(&hold, 1024, &n_wgs));
	counter = held = met = 0;
	for (int i = 0; i < 4; i++) {
		CHECK(!shmemg->stream_create(&stream[i]));
		CHECK(!shmemg->launch(i ? &meet : &hold, n_wgs, 1024, NULL, 0,
				      stream[i]));
		if (i == 1) {
			usleep(50000);
			shmemd_store64(&held, 1);
		}
		if (i)
			CHECK(!shmemg->stream_sync(stream[i]));
	}
	CHECK(!shmemg->stream_sync(stream[0]));
	CHECK(counter == 1024u * (unsigned int)n_wgs);
	CHECK(met == 3u * (unsigned int)n_wgs);
	for (int i = 0; i < 4; i++)
		CHECK(!shmemg->stream_destroy(stream[i]));
}

static void test_refusals(void)
{
	const struct shmemg_kernel none = { "none", NULL, NULL };
	const struct shmemg_kernel kernel = { "count", kernel_count, NULL };

	CHECK(shmemg->launch(&none, 1, 1, NULL, 0, NULL) == -EINVAL);
	CHECK(shmemg->launch(&kernel, 0, 1, NULL, 0, NULL) == -EINVAL);
	CHECK(shmemg->launch(&kernel, 1, 1025, NULL, 0, NULL) == -EINVAL);
}

/* Item 0 is in another barrier than item 1: nobody can go on. */
static void kernel_stuck(const void *args)
{
	(void)args;
	if (shmemd_item())
		shmemd_wave_barrier();
	else
		shmemd_wg_barrier();
}

/* It ends with an error line instead of hanging. */
static void test_stuck(void)
{
	const pid_t child = fork();
	int status;

	CHECK(child >= 0);
	if (!child) {
		platform_open();
		kernel_run(kernel_stuck, 1, 2, NULL, 0);
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

/* Host code may run the bodies of kernels. */
static void test_outside(void)
{
	struct shmemd_pause pause = { 0 };

	CHECK(!shmemd_in_kernel() && !shmemd_item() && shmemd_nitems() == 1);
	CHECK(shmemd_nwgs() == 1 && shmemd_wave_items() == 1);
	shmemd_wg_barrier();
	shmemd_wave_barrier();
	CHECK(shmemd_wg_bcast(7) == 7 && shmemd_wave_bcast(8) == 8);
	CHECK(shmemd_wg_sum(9) == 9);
	shmemd_pause(&pause);
	CHECK(shmemd_clock() <= shmemd_clock());
}

static void test_memory_ops(void)
{
	_Alignas(16) uint64_t word[2] = { 1, 2 };
	struct shmemd_vec v;
	uint32_t half = 7;

	v = shmemd_load128(word);
	CHECK(v.a == 1 && v.b == 2);
	v.a = 3;
	shmemd_store128(word, v);
	v = shmemd_stream128(word);
	CHECK(v.a == 3 && v.b == 2);
	CHECK(shmemd_amo32(SHMEMD_CSWAP, &half, 9, 8) == 7 && half == 7);
	CHECK(shmemd_amo32(SHMEMD_CSWAP, &half, 9, 7) == 7 && half == 9);
	CHECK(shmemd_amo32(SHMEMD_XOR, &half, 1, 0) == 9 && half == 8);
	CHECK(shmemd_amo64(SHMEMD_SWAP, word, 12, 0) == 3 && word[0] == 12);
	CHECK(shmemd_amo64(SHMEMD_AND, word, 4, 0) == 12 && word[0] == 4);
	CHECK(shmemd_amo64(SHMEMD_OR, word, 3, 0) == 4);
	CHECK(shmemd_amo64(SHMEMD_FETCH, word, 0, 0) == 7);
	shmemd_store8(word, 255);
	shmemd_store16((char *)word + 2, 1);
	CHECK(shmemd_load32(word) == 65536 + 255 && shmemd_load8(word) == 255);
	CHECK(shmemd_load16((char *)word + 2) == 1);
}

static void test_wave(int size)
{
	wave_size = size;
	shmemg_cpu_set_wave(size);
	CHECK(shmemg_cpu_wave() == size);
	test_identity();
	kernel_run(kernel_wg_barrier, WGS, ITEMS, NULL, 0);
	kernel_run(kernel_wave_barrier, WGS, ITEMS, NULL, 0);
	kernel_run(kernel_values, WGS, ITEMS, NULL, 0);
	kernel_run(kernel_values, WGS, 1, NULL, 0);
	test_end();
}

int main(void)
{
	test_outside();
	test_memory_ops();
	test_stuck();
	platform_open();
	test_wave(32);
	test_wave(64);
	test_grid(1, 1);
	test_grid(7, 65);
	test_grid(16, 100);
	test_chain(kernel_chain);
	test_chain(kernel_chain_polled);
	test_many();
	test_large_grids();
	test_refusals();
	test_outside();
	shmemg_close();
	return 0;
}
