/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "api.h"

enum { PRINTED_FAILURES = 20 };

int api_me, api_n;
shmem_ctx_t api_ctx;
static shmem_team_t reversed;
static int failures;
static uint64_t round_number;

void api_begin(void)
{
	shmem_init();
	api_me = shmem_my_pe();
	api_n = shmem_n_pes();
	if (shmem_team_split_strided(SHMEM_TEAM_WORLD, api_n - 1, -1, api_n,
				     NULL, 0, &reversed))
		api_fail("shmem_team_split_strided", "no reversed team");
	if (shmem_team_create_ctx(reversed, 0, &api_ctx))
		api_fail("shmem_team_create_ctx", "no context");
}

int api_end(void)
{
	shmem_ctx_destroy(api_ctx);
	shmem_team_destroy(reversed);
	shmem_finalize();
	return failures != 0;
}

void api_fail(const char *name, const char *format, ...)
{
	va_list ap;

	if (failures++ >= PRINTED_FAILURES)
		return;
	printf("%s, PE %d of %d: ", name, api_me, api_n);
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

void api_each(const char *body,
	      void (*run)(const struct api_routine *r, const void *arg),
	      const void *arg)
{
	int found = 0;

	for (size_t i = 0; i < api_routine_count; i++) {
		if (strcmp(api_routines[i].body, body))
			continue;
		round_number++;
		run(&api_routines[i], arg);
		found++;
	}
	if (!found)
		api_fail(body, "no row of the tables has this body");
}

struct api_args api_args(const struct api_routine *r, int pe)
{
	return (struct api_args){
		.ctx = api_ctx,
		.pe = r->ctx ? api_n - 1 - pe : pe,
		.bsize = 1,
		.dst = 1,
		.sst = 1,
	};
}

void api_quiet(const struct api_routine *r)
{
	if (r->ctx)
		shmem_ctx_quiet(api_ctx);
	else
		shmem_quiet();
}

int64_t api_value(int from, int to, size_t i)
{
	uint64_t x = round_number * 1000003 + (uint64_t)from * 10007 +
		     (uint64_t)to * 101 + i;

	x *= 0x9e3779b97f4a7c15;
	x ^= x >> 29;
	return (int64_t)(x * 0xbf58476d1ce4e5b9);
}

void *api_at(const struct api_type *t, const void *array, size_t i)
{
	return (char *)array + i * t->size;
}

void api_fill(const struct api_type *t, void *array, size_t n, int64_t value)
{
	for (size_t i = 0; i < n; i++)
		t->set(api_at(t, array, i), value);
}

bool api_is(const struct api_type *t, const void *array, size_t i,
	    int64_t value)
{
	long double element[2] = { 0 };

	t->set(element, value);
	return t->equal(api_at(t, array, i), element);
}

void *api_memory(bool heap, size_t bytes)
{
	static _Alignas(64) char data[API_STATIC_BYTES];
	void *memory = heap ? shmem_malloc(bytes) : data;

	if (!memory || (!heap && bytes > sizeof(data)))
		api_fail("shmem_malloc", "no %zu bytes", bytes);
	return memory;
}

void api_memory_free(void *memory)
{
	if (memory != api_memory(false, 0))
		shmem_free(memory);
}
