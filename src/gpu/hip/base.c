/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/hip/hip.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct note {
	struct note *next;
	const void *p;
	void *base;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct note *notes;

int hip_base_note(void *p, void *base)
{
	struct note *note = malloc(sizeof(*note));

	if (!note)
		return -ENOMEM;
	note->p = p;
	note->base = base;
	pthread_mutex_lock(&lock);
	note->next = notes;
	notes = note;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Where the link to p's note is, or the end of the list. */
static struct note **find(const void *p)
{
	struct note **at;

	for (at = &notes; *at && (*at)->p != p; at = &(*at)->next)
		;
	return at;
}

void *hip_base_of(const void *p)
{
	void *base = (void *)(uintptr_t)p;
	struct note *note;

	pthread_mutex_lock(&lock);
	note = *find(p);
	if (note)
		base = note->base;
	pthread_mutex_unlock(&lock);
	return base;
}

void hip_base_forget(const void *p)
{
	struct note **at, *note;

	pthread_mutex_lock(&lock);
	at = find(p);
	note = *at;
	if (note)
		*at = note->next;
	pthread_mutex_unlock(&lock);
	free(note);
}
