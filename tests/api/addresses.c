/* SPDX-License-Identifier: BSD-3-Clause */
/* Each routine and its twin links, and they are one function. */
#include <stdio.h>
#define SHMEMI_NO_GENERIC
#include <shmem.h>

typedef void any_fn(void);

struct pair {
	const char *name;
	any_fn *shmem, *pshmem;
};

#define ROW(name) { #name, (any_fn *)name, (any_fn *)p##name },
#define SHMEMI_FN(stem, ...) ROW(shmem_##stem)
#define SHMEMI_PLAIN(ret, name, params) ROW(name)
static const struct pair pairs[] = {
#include <shmem/expand.h>
};

int main(void)
{
	const size_t n = sizeof(pairs) / sizeof(*pairs);
	int bad = n != 1788 + 6;

	for (size_t i = 0; i < n; i++) {
		if (pairs[i].shmem && pairs[i].shmem == pairs[i].pshmem)
			continue;
		printf("%s: the twin is another function\n", pairs[i].name);
		bad = 1;
	}
	return bad;
}
