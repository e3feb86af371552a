/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues in memory, for tests of formats: no NIC is there. */
#ifndef TESTS_GDA_FORMAT_H
#define TESTS_GDA_FORMAT_H

#include <shmemx.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem/device/gda_format.h>

#define CHECK(x) \
	((x) ? (void)0 : \
	       (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x), \
		exit(1)))

#define NUMBER 0x0c0d0e
#define PLACES 8
#define MTU_LOG2 10

/* All that a queue points to; what the NIC does not write is 0xee. */
struct memory {
	struct shmemd_gda_queue q;
	uint64_t doorbell, completions_doorbell;
	uint32_t record;
	_Alignas(64) char entries[65536 + 64];
	_Alignas(64) char completions[131072];
	uint64_t messages[4096];
};

static void memory_init(struct memory *m, enum shmemd_gda_format format,
			uint32_t n_places)
{
	struct shmemd_gda_queue *q = &m->q;

	memset(m, 0, sizeof(*m));
	memset(m->entries, 0xee, sizeof(m->entries));
	q->format = format;
	q->entries = m->entries;
	q->completions = m->completions;
	q->doorbell = (char *)&m->doorbell;
	q->number = NUMBER;
	q->n_places = n_places;
	q->n_completions = 1;
	if (format == SHMEMD_GDA_MLX5) {
		q->record = (char *)&m->record;
		q->n_completions = n_places;
		q->own[0] = GDA_MLX5_MASKED;
		memset(m->completions, 0xff, sizeof(m->completions));
	} else if (format == SHMEMD_GDA_BNXT) {
		q->own[0] = (uint64_t)(uintptr_t)m->messages;
		q->own[1] = 2 * n_places;
		q->own[2] = MTU_LOG2;
	} else if (format == SHMEMD_GDA_IONIC) {
		q->n_completions = 2 * n_places;
		q->own[0] = (uint64_t)NUMBER << GDA_IONIC_DOORBELL_SHIFT;
		q->own[1] = 2 * n_places - 1;
		q->own[2] = (uint64_t)(uintptr_t)&m->completions_doorbell;
		q->own[3] = (uint64_t)7 << GDA_IONIC_DOORBELL_SHIFT;
	}
	shmemd_block.gda.format = format;
}

#endif
