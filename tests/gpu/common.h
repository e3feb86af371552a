/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the device tests share on the host's side: start and end, failures,
 * seeded numbers, and symmetric memory with a copy that the host may touch.
 */
#ifndef GPU_COMMON_H
#define GPU_COMMON_H

#define SHMEMI_NO_GENERIC
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <shmem.h>
#include <shmemx.h>

#define GPU_COUNT(a) (sizeof(a) / sizeof(*(a)))
#define GPU_MAX_PES 64

#define GPU_CHECK(ok) gpu_check(!!(ok), #ok, __FILE__, __LINE__)
#define GPU_CHECK_EQ(got, want) \
	gpu_check_equal((long long)(got), (long long)(want), #got, __FILE__, \
			__LINE__)

/* Symmetric memory of the default heap, and the host's picture of it. */
struct gpu_mem {
	char *dev;
	unsigned char *host;
	size_t bytes;
};

#ifdef __cplusplus
extern "C" {
#endif

extern int gpu_me, gpu_n;
extern uint64_t gpu_seed; /* the same on all PEs: $SEED, or the time */

/*
 * All PEs in reverse, and a context over it: a routine that ignores its context
 * or team is found out.
 */
extern shmem_team_t gpu_reversed;
extern shmem_ctx_t gpu_ctx;

/* shmem_init and shmem_finalize around the tests; gpu_end is main's result. */
void gpu_begin(void);
int gpu_end(void);

/* Counts a failure and prints it unless there were many. */
void gpu_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
void gpu_check(int ok, const char *what, const char *file, int line);
void gpu_check_equal(long long got, long long want, const char *what,
		     const char *file, int line);

/* Notes that this device routine was called, for coverage.sh. */
void gpu_called(const char *name);

/* Waits for the default stream. */
void gpu_sync(void);

/* Collective, as shmem_malloc. A PE that gets none ends the job. */
struct gpu_mem gpu_mem_new(size_t bytes);
void gpu_mem_free(struct gpu_mem *m);
void gpu_mem_push(const struct gpu_mem *m, size_t bytes); /* host to device */
void gpu_mem_pull(const struct gpu_mem *m, size_t bytes);
void gpu_mem_fill(const struct gpu_mem *m, int byte, size_t bytes);

/* The same bytes again, wherever they were made. */
unsigned char gpu_byte(uint64_t salt, int pe, size_t i);
void gpu_bytes(unsigned char *p, size_t n, uint64_t salt, int pe, size_t i);
/* The first byte that differs is told, after `what`. 1 if equal. */
int gpu_same(const char *what, const unsigned char *got,
	     const unsigned char *want, size_t bytes);

uint64_t gpu_random(uint64_t *state);
size_t gpu_below(uint64_t *state, size_t n);
/* A number for element i of what PE `from` does, from a salt. */
uint64_t gpu_value(uint64_t salt, int from, size_t i);

#ifdef __cplusplus
}
#endif

#endif
