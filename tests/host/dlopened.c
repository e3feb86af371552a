/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Not linked with the library, as a Python is not: loads it from the file named
 * by the argument. The heap works; static data is not shared unless asked.
 * The second argument says what is expected of it: "static" or "private".
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long variable = 3;

static void *symbol(void *library, const char *name)
{
	void *p = dlsym(library, name);

	if (!p) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return p;
}

int main(int argc, char **argv)
{
	void *lib = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*accessible)(const void *, int);
	void (*p)(long *, long, int);
	void (*barrier)(void), (*finalize)(void);
	void *(*allocate)(size_t);
	int me, n, bad = 0;
	long *heap;

	if (!lib) {
		fprintf(stderr, "%s\n", argc > 2 ? dlerror() : "no library");
		return 1;
	}
	*(void **)&accessible = symbol(lib, "shmem_addr_accessible");
	*(void **)&p = symbol(lib, "shmem_long_p");
	*(void **)&barrier = symbol(lib, "shmem_barrier_all");
	*(void **)&finalize = symbol(lib, "shmem_finalize");
	*(void **)&allocate = symbol(lib, "shmem_malloc");
	((void (*)(void))symbol(lib, "shmem_init"))();
	me = ((int (*)(void))symbol(lib, "shmem_my_pe"))();
	n = ((int (*)(void))symbol(lib, "shmem_n_pes"))();
	heap = allocate(sizeof(*heap));
	p(heap, 100 + me, (me + 1) % n);
	barrier();
	bad |= *heap != 100 + (me + n - 1) % n;
	bad |= accessible(&variable, me) != !strcmp(argv[2], "static");
	bad |= variable != 3;
	bad |= !accessible(heap, (me + 1) % n);
	finalize();
	if (!bad)
		printf("fine\n");
	return bad;
}
