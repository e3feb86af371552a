/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles of teams and contexts: small integers, so that host and kernels can
 * use the same ones. The smallest free one is given out, as kernels know only
 * those below a limit (state.h).
 */
#ifndef SHMEMI_HANDLE_H
#define SHMEMI_HANDLE_H

#include <stddef.h>
#include <stdint.h>

#define SHMEMI_HANDLES_PER_CHUNK 1024
#define SHMEMI_HANDLE_CHUNKS 1024

/* Zeroed but for what it keeps free: handles from skip to skip_end - 1. */
struct shmemi_handles {
	void **chunk[SHMEMI_HANDLE_CHUNKS];
	unsigned int next; /* no smaller one is free */
	unsigned int skip, skip_end;
};

/* The object of a handle; NULL if it has none. */
static inline void *shmemi_handle_object(const struct shmemi_handles *t,
					 uintptr_t handle)
{
	uintptr_t i = handle / SHMEMI_HANDLES_PER_CHUNK;
	void **chunk = i < SHMEMI_HANDLE_CHUNKS ? t->chunk[i] : NULL;

	return chunk ? chunk[handle % SHMEMI_HANDLES_PER_CHUNK] : NULL;
}

/* A handle of at least 1 for an object; 0 if none or no memory is left. */
unsigned int shmemi_handle_new(struct shmemi_handles *t, void *object);
void shmemi_handle_put(struct shmemi_handles *t, unsigned int handle);

#endif
