/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>
#include "common.h"

enum { PRINTED_FAILURES = 10, MAX_CALLED = 8192 };

int gpu_me, gpu_n;
uint64_t gpu_seed;
shmem_team_t gpu_reversed;
shmem_ctx_t gpu_ctx;
static int failures;
static const char *called[MAX_CALLED];
static size_t called_count;

static uint64_t seed_shared(void)
{
	const char *text = getenv("SEED");
	struct gpu_mem m = gpu_mem_new(sizeof(uint64_t));
	uint64_t seed = text ? strtoull(text, NULL, 0) :
			       (uint64_t)time(NULL) * 1000 +
				       (uint64_t)(getpid() % 1000);

	if (!gpu_me) {
		printf("SEED=%llu\n", (unsigned long long)seed);
		fflush(stdout);
	}
	memcpy(m.host, &seed, sizeof(seed));
	gpu_mem_push(&m, m.bytes);
	shmem_broadcastmem(SHMEM_TEAM_WORLD, m.dev, m.dev, sizeof(seed), 0);
	gpu_mem_pull(&m, m.bytes);
	memcpy(&seed, m.host, sizeof(seed));
	gpu_mem_free(&m);
	return seed;
}

void gpu_begin(void)
{
	shmem_init();
	gpu_me = shmem_my_pe();
	gpu_n = shmem_n_pes();
	gpu_seed = seed_shared();
	if (gpu_n > GPU_MAX_PES) {
		printf("for %d PEs at most\n", GPU_MAX_PES);
		shmem_global_exit(77);
	}
	if (shmem_team_split_strided(SHMEM_TEAM_WORLD, gpu_n - 1, -1, gpu_n,
				     NULL, 0, &gpu_reversed))
		gpu_fail("no team in reverse");
	if (shmem_team_create_ctx(gpu_reversed, 0, &gpu_ctx))
		gpu_fail("no context");
}

/* Leaves the names of what this program called, for coverage.sh. */
static void called_write(void)
{
	char path[4096];
	FILE *f;

	if (gpu_me || !called_count)
		return;
	snprintf(path, sizeof(path), "%s.called", program_invocation_name);
	f = fopen(path, "w");
	if (!f)
		return;
	for (size_t i = 0; i < called_count; i++)
		fprintf(f, "%s\n", called[i]);
	fclose(f);
}

int gpu_end(void)
{
	called_write();
	shmem_ctx_destroy(gpu_ctx);
	shmem_team_destroy(gpu_reversed);
	shmem_finalize();
	return failures != 0;
}

void gpu_fail(const char *format, ...)
{
	va_list ap;

	if (failures++ >= PRINTED_FAILURES)
		return;
	fprintf(stderr, "PE %d of %d: ", gpu_me, gpu_n);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void gpu_check(int ok, const char *what, const char *file, int line)
{
	if (!ok)
		gpu_fail("%s:%d: not true: %s", file, line, what);
}

void gpu_check_equal(long long got, long long want, const char *what,
		     const char *file, int line)
{
	if (got != want)
		gpu_fail("%s:%d: %s is %lld, expected %lld", file, line, what,
			 got, want);
}

void gpu_called(const char *name)
{
	if (called_count < MAX_CALLED)
		called[called_count++] = name;
}

void gpu_sync(void)
{
	GPU_CHECK_EQ(shmemx_stream_synchronize(NULL), 0);
}

struct gpu_mem gpu_mem_new(size_t bytes)
{
	struct gpu_mem m = { NULL, NULL, bytes };

	m.dev = shmem_calloc(1, bytes);
	m.host = calloc(1, bytes);
	if (!m.dev || !m.host) {
		fprintf(stderr, "PE %d: no %zu bytes\n", gpu_me, bytes);
		shmem_global_exit(1);
	}
	return m;
}

void gpu_mem_free(struct gpu_mem *m)
{
	shmem_free(m->dev);
	free(m->host);
	memset(m, 0, sizeof(*m));
}

void gpu_mem_push(const struct gpu_mem *m, size_t bytes)
{
	GPU_CHECK_EQ(shmemx_memcpy(m->dev, m->host, bytes), 0);
}

void gpu_mem_pull(const struct gpu_mem *m, size_t bytes)
{
	GPU_CHECK_EQ(shmemx_memcpy(m->host, m->dev, bytes), 0);
}

void gpu_mem_fill(const struct gpu_mem *m, int byte, size_t bytes)
{
	GPU_CHECK_EQ(shmemx_memset(m->dev, byte, bytes), 0);
}

unsigned char gpu_byte(uint64_t salt, int pe, size_t i)
{
	return (unsigned char)(salt * 29 + (uint64_t)pe * 101 + i * 151 +
			       i / 256 * 7);
}

void gpu_bytes(unsigned char *p, size_t n, uint64_t salt, int pe, size_t i)
{
	for (size_t k = 0; k < n; k++)
		p[k] = gpu_byte(salt, pe, i + k);
}

int gpu_same(const char *what, const unsigned char *got,
	     const unsigned char *want, size_t bytes)
{
	size_t i = 0;

	if (!memcmp(got, want, bytes))
		return 1;
	while (got[i] == want[i])
		i++;
	gpu_fail("%s: byte %zu of %zu is %d, expected %d", what, i, bytes,
		 got[i], want[i]);
	return 0;
}

uint64_t gpu_random(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

size_t gpu_below(uint64_t *state, size_t n)
{
	return (size_t)(gpu_random(state) % n);
}

uint64_t gpu_value(uint64_t salt, int from, size_t i)
{
	uint64_t state = salt * 1000003 + (uint64_t)from * 10007 + i;

	return gpu_random(&state);
}
