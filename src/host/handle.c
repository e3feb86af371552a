/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/handle.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define END (SHMEMI_HANDLE_CHUNKS * SHMEMI_HANDLES_PER_CHUNK)

static void **place(struct shmemi_handles *t, unsigned int handle)
{
	void ***chunk = &t->chunk[handle / SHMEMI_HANDLES_PER_CHUNK];

	if (!*chunk)
		*chunk = calloc(SHMEMI_HANDLES_PER_CHUNK, sizeof(**chunk));
	return *chunk ? *chunk + handle % SHMEMI_HANDLES_PER_CHUNK : NULL;
}

/* The smallest free one, entered; 0 if there is none. */
static unsigned int take(struct shmemi_handles *t, void *object)
{
	unsigned int h = t->next ? t->next : 1;

	for (; h < END; h++) {
		void **at;

		if (h >= t->skip && h < t->skip_end)
			continue;
		at = place(t, h);
		if (!at)
			return 0;
		if (*at)
			continue;
		*at = object;
		t->next = h + 1;
		return h;
	}
	return 0;
}

unsigned int shmemi_handle_new(struct shmemi_handles *t, void *object)
{
	unsigned int h;

	pthread_mutex_lock(&lock);
	h = take(t, object);
	pthread_mutex_unlock(&lock);
	return h;
}

void shmemi_handle_put(struct shmemi_handles *t, unsigned int handle)
{
	pthread_mutex_lock(&lock);
	*place(t, handle) = NULL;
	if (handle < t->next)
		t->next = handle;
	pthread_mutex_unlock(&lock);
}
