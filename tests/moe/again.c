/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles and layouts are made and ended many times: heap, teams, mappings and
 * descriptors are as before.
 * PES: all
 */
#include <dirent.h>
#include "unit.h"

/*
 * The CPU's work-items get stacks when so many first run, and connections to
 * other nodes are made at first use: warm up, and leave some slack. What is
 * lost each time is more.
 */
enum { WARM = 20, TIMES = 60, LAYOUTS = 3, SLACK = 24 };

/* Of files: stacks of work-items are kept, as many as ever ran. */
static int count_mappings(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[512];
	int n = 0;

	while (f && fgets(line, sizeof(line), f))
		n += strchr(line, '/') != NULL;
	if (f)
		fclose(f);
	return n;
}

static int count_entries(const char *path)
{
	DIR *dir = opendir(path);
	int n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static void once(uint64_t i)
{
	struct shmemx_moe_config c = unit_config((uint32_t)(i % 2));
	struct unit u;
	struct layer l[LAYOUTS];
	struct oracle_case o = { .salt = gpu_seed + i,
				 .route = ROUTE_ANY,
				 .tokens = TOKENS_ANY };

	c.max_tokens = 4 + (uint32_t)(i % 5);
	unit_open(&u, &c, NULL);
	for (int k = 0; k < LAYOUTS; k++)
		layer_open(&u, &l[k]);
	if (i % 4 == 0) {
		layer_make(&u, &l[i % LAYOUTS], &o);
		unit_forward(&u, &l[i % LAYOUTS]);
	}
	for (int k = 0; k < LAYOUTS; k++)
		layer_close(&l[k]);
	unit_close(&u);
}

/* Where the heap's next block would be. */
static char *heap_place(void)
{
	char *p = shmemx_malloc_device(1 << 16);

	shmem_free(p);
	return p;
}

int main(void)
{
	int mappings, entries;
	char *place;

	gpu_begin();
	for (uint64_t i = 0; i < WARM; i++)
		once(i);
	place = heap_place();
	mappings = count_mappings();
	entries = count_entries("/proc/self/fd");
	for (uint64_t i = 0; i < TIMES; i++)
		once(i);
	GPU_CHECK(heap_place() == place);
	GPU_CHECK(count_mappings() <= mappings + SLACK);
	GPU_CHECK(count_entries("/proc/self/fd") <= entries + SLACK);
	shmemx_moe_destroy(NULL);
	shmemx_moe_layout_destroy(NULL);
	return gpu_end();
}
