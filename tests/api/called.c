/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Notes which routines a test program called, and leaves their names in
 * <program>.called.<PE> for tests/api/coverage.sh.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "api.h"

#define SHMEMI_FN(stem, ...) "shmem_" #stem,
#define SHMEMI_PLAIN(ret, name, params) #name,
static const char *const names[] = {
#include <shmem/expand.h>
};

static bool called[COUNT(names)];

void api_called(size_t i)
{
	called[i] = true;
}

__attribute__((destructor)) void api_called_write(void)
{
	const char *pe = getenv("PMIX_RANK");
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s.called.%s", program_invocation_name,
		 pe ? pe : "0");
	f = fopen(path, "w");
	if (!f) {
		perror(path);
		return;
	}
	for (size_t i = 0; i < COUNT(names); i++)
		if (called[i])
			fprintf(f, "%s\n", names[i]);
	fclose(f);
}
