/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The allocator's fuzz target. With libFuzzer:
 *	clang -fsanitize=fuzzer,address -DFUZZ_ENGINE -Isrc \
 *		tests/alloc/{fuzz,oracle,check}.c
 * Without it: replays the files that are named or else, from SEED, mutates
 * a program step by step and runs each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *ops, size_t nbytes);

int LLVMFuzzerTestOneInput(const uint8_t *ops, size_t nbytes)
{
	alloc_oracle_run(ops, nbytes);
	return 0;
}

#ifndef FUZZ_ENGINE
#define NMUTATIONS 3000

static uint8_t ops[4096];

static int replay(const char *path)
{
	FILE *in = fopen(path, "rb");
	size_t nbytes;

	if (!in) {
		perror(path);
		return 1;
	}
	nbytes = fread(ops, 1, sizeof(ops), in);
	fclose(in);
	return LLVMFuzzerTestOneInput(ops, nbytes);
}

static void mutate(void)
{
	const char *text = getenv("SEED");
	const unsigned int seed = text ? (unsigned int)strtoul(text, NULL, 0)
				       : (unsigned int)time(NULL);
	size_t nbytes = 1;
	int i;

	fprintf(stderr, "SEED=%u\n", seed);
	srandom(seed);
	for (i = 0; i < NMUTATIONS; i++) {
		if (nbytes < sizeof(ops) && random() % 4)
			ops[nbytes++] = (uint8_t)random();
		ops[(size_t)random() % nbytes] = (uint8_t)random();
		LLVMFuzzerTestOneInput(ops, nbytes);
	}
}

int main(int argc, char **argv)
{
	int i, rc = 0;

	if (argc == 1)
		mutate();
	for (i = 1; i < argc; i++)
		rc |= replay(argv[i]);
	return rc;
}
#endif
