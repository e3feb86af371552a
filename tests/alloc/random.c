/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs for the allocator against its model; SEED repeats a run. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "oracle.h"

#define NPROGRAMS 400
#define PROGRAM_BYTES_MAX 8192

/* xorshift64*: the same numbers for a seed with any C library. */
static uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

int main(void)
{
	static uint8_t ops[PROGRAM_BYTES_MAX];
	const char *text = getenv("SEED");
	uint64_t state = text ? strtoull(text, NULL, 0) : (uint64_t)time(NULL);
	size_t i, nbytes;
	int program;

	fprintf(stderr, "SEED=%llu\n", (unsigned long long)state);
	state |= UINT64_C(1) << 63;
	for (program = 0; program < NPROGRAMS; program++) {
		nbytes = random_next(&state) % PROGRAM_BYTES_MAX;
		for (i = 0; i < nbytes; i++)
			ops[i] = (uint8_t)(random_next(&state) >> 56);
		/* A heap of 64 KiB to 1 MiB; short programs keep any size. */
		if (program % 4) {
			ops[0] = 3 | (16 + (uint8_t)(program % 5)) << 2;
			ops[1] = 0;
		}
		alloc_oracle_run(ops, nbytes);
	}
	return 0;
}
