/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels look for addresses among buffers while the program registers others:
 * one that is there is always found, with its key, and what lies behind a
 * buffer never, whatever length the next one has.
 */
#include "nics_fake.h"

#include <pthread.h>
#include <shmem.h>
#include <shmemx.h>

#include <shmem/device/gda_memory.h>

#define ROUNDS 30000
#define SMALL 64
#define LARGE 65536

static char buffer[256], small[LARGE], large[LARGE];
static uint32_t key;
static int stop;

static void *kernels(void *unused)
{
	uint64_t looks = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
		const struct gda_side mine =
			gda_local(0, buffer + 16, 2 * sizeof(buffer));
		const struct gda_side none = gda_local(0, small + SMALL, 1);

		CHECK(mine.bytes == sizeof(buffer) - 16 && mine.key.rma == key);
		CHECK(!none.bytes);
		looks++;
	}
	CHECK(looks);
	return unused;
}

static void program(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		CHECK(!gda_buffer_register(small, SMALL));
		gda_buffer_unregister(small);
		CHECK(!gda_buffer_register(large, LARGE));
		gda_buffer_unregister(large);
	}
}

int main(void)
{
	pthread_t thread;

	fake_open();
	fake_clear();
	fake_device("mlx5_0", "0000:0a:00.0");
	CHECK(!gda_nics_open() && !gda_pool_open() && !gda_memory_open());
	CHECK(!gda_buffer_register(small, SMALL));
	CHECK(!gda_buffer_register(buffer, sizeof(buffer)));
	gda_buffer_unregister(small);
	gda_memory_tell(&shmemd_block.gda);
	key = gda_local(0, buffer, 1).key.rma;
	CHECK(!pthread_create(&thread, NULL, kernels, NULL));
	program();
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	CHECK(!pthread_join(thread, NULL));
	gda_memory_close();
	gda_pool_close();
	gda_nics_close();
	check_balance();
	fake_close();
	return 0;
}
