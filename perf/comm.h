/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the harness needs of the PEs. comm_shmem.c gives it through OpenSHMEM,
 * comm_solo.c for a program of one process that uses no library at all.
 */
#ifndef PERF_COMM_H
#define PERF_COMM_H

#include <stddef.h>

struct comm_info {
	char name[256];	  /* the library's own name */
	int major, minor; /* of the specification; 0: no library */
};

void comm_open(void);
void comm_close(void);
int comm_me(void);
int comm_npes(void);
void comm_sync(void);
/* Symmetric, page-aligned, collective; ends the job when there is none. */
void *comm_alloc(size_t bytes);
void comm_free(void *mem);
/* PE 0's value; collective. */
long comm_agree(long value);
/* Turns PE 0's v into the element-wise largest of all PEs; collective. */
void comm_max(double *v, size_t nelems);
/* The sum of the values, on every PE; collective. */
long comm_sum(long value);
void comm_info_get(struct comm_info *info);

#endif
