/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transfers of more than 2^31 bytes in one call, by bytes and by elements: put,
 * get and fcollect, in a heap of which most is never touched.
 * ENV: SHMEM_SYMMETRIC_SIZE=16g
 * PES: 2
 */
#include "check.h"

#define BIG (((size_t)1 << 31) + 12345)
#define EACH (((size_t)1 << 30) + 777)
#define NEED_KIB (10L << 20)

static long available_kib(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[128];
	long kib = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %ld", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib;
}

static uint64_t word(size_t i, int pe)
{
	return i * 0x9e3779b97f4a7c15u + (uint64_t)pe;
}

/* One word a cache line. */
static void fill(uint64_t *p, size_t bytes, int pe)
{
	for (size_t i = 0; i < bytes / 8; i += 8)
		p[i] = word(i, pe);
}

static void holds(const unsigned char *p, size_t bytes, int pe)
{
	size_t bad = 0;

	for (size_t i = 0; i < bytes / 8; i += 8) {
		uint64_t got;

		memcpy(&got, p + i * 8, 8);
		bad += got != word(i, pe);
	}
	CHECK_EQ(bad, 0);
}

int main(void)
{
	unsigned char *a, *b;
	int me, enough;
	static int everywhere;

	shmem_init();
	me = shmem_my_pe();
	if (me == 0) {
		enough = available_kib() > NEED_KIB;
		for (int pe = 0; pe < shmem_n_pes(); pe++)
			shmem_int_p(&everywhere, enough, pe);
	}
	shmem_barrier_all();
	if (!everywhere) {
		printf("needs %ld MiB of memory\n", NEED_KIB >> 10);
		shmem_finalize();
		return 77;
	}
	a = shmem_malloc(BIG);
	b = shmem_malloc(BIG + 4096);
	CHECK(a && b);
	if (me == 0) {
		fill((uint64_t *)a, BIG, 0);
		shmem_char_put((char *)b, (const char *)a, BIG, 1);
		shmem_quiet();
		CHECK_EQ(shmem_uint64_g((uint64_t *)b + BIG / 64 * 8 - 8, 1),
			 (long long)word(BIG / 64 * 8 - 8, 0));
	}
	shmem_barrier_all();
	if (me == 1)
		holds(b, BIG / 8 * 8, 0);
	fill((uint64_t *)a, EACH, me);
	shmem_barrier_all();
	CHECK_EQ(shmem_fcollectmem(SHMEM_TEAM_WORLD, b, a, EACH), 0);
	holds(b, EACH / 8 * 8, 0);
	holds(b + EACH, EACH / 8 * 8, 1);
	shmem_barrier_all();
	if (me == 0) {
		shmem_getmem(a, b, 2 * EACH, 1);
		holds(a, EACH / 8 * 8, 0);
		holds(a + EACH, EACH / 8 * 8, 1);
	}
	shmem_barrier_all();
	shmem_free(b);
	shmem_free(a);
	return check_end();
}
