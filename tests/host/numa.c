/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The heap's pages prefer the memory of the PE that owns them, on whatever
 * node a peer runs that touches them first. PES: 2
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The policy of the mapping that starts at or below p, last before it. */
static int has_policy(const void *p, const char *policy)
{
	FILE *maps = fopen("/proc/self/numa_maps", "r");
	char line[512], found[512] = "";

	if (!maps) {
		puts("no /proc/self/numa_maps");
		exit(77);
	}
	while (fgets(line, sizeof(line), maps))
		if (strtoul(line, NULL, 16) <= (unsigned long)p)
			strcpy(found, line);
	fclose(maps);
	printf("%s", found);
	return strstr(found, policy) != NULL;
}

int main(void)
{
	char *heap;
	int bad;

	shmem_init();
	heap = shmem_malloc(1 << 20);
	memset(heap, 1, 1 << 20);
	bad = !has_policy(heap, " prefer");
	if (shmem_ptr(heap, !shmem_my_pe()))
		bad |= !has_policy(shmem_ptr(heap, !shmem_my_pe()), " prefer");
	shmem_free(heap);
	shmem_finalize();
	return bad;
}
