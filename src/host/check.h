/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Misuse. Every entry point calls one of these while shmemi.guard is set:
 * always before init and after finalize, and on each call with SHMEM_CHECK=1.
 * Each returns if all is well and otherwise ends the job after one line that
 * names routine, argument, PE and what was expected. api is the routine's
 * name, with or without the p of the profiling form.
 */
#ifndef SHMEMI_CHECK_H
#define SHMEMI_CHECK_H

#include "host/team.h"

/* The routine's public name. */
const char *shmemi_api(const char *api);

void shmemi_check_up(const char *api);

/*
 * A transfer of nelems elements of esize bytes between symmetric sym (called
 * name) and local memory, which is NULL where overlap can't be told.
 */
void shmemi_check_rma(const char *api, shmem_ctx_t ctx, const char *name,
		      const void *sym, const void *local, size_t nelems,
		      size_t esize, int pe);

/* Bytes of nelems elements of esize; ends the job if no memory is so large. */
size_t shmemi_check_product(const char *api, size_t nelems, size_t esize);

/* A symmetric object that must be aligned to its size, 4 or 8. */
void shmemi_check_amo(const char *api, shmem_ctx_t ctx, const char *name,
		      const void *sym, size_t bytes, int pe);

/* A symmetric object of this PE. */
void shmemi_check_sym(const char *api, const char *name, const void *sym,
		      size_t bytes);

void shmemi_check_ctx(const char *api, shmem_ctx_t ctx);
void shmemi_check_pe(const char *api, const char *name, int pe, int n_pes);
void shmemi_check_cmp(const char *api, int cmp);

/*
 * A collective: dest and source are symmetric and of these lengths, and, if
 * they overlap, in_place allows exactly dest == source.
 */
void shmemi_check_coll(const char *api, const struct shmem_team *team,
		       const void *dest, size_t dest_bytes,
		       const void *source, size_t source_bytes, int in_place);

/* An address that no segment holds reached a transfer. */
_Noreturn void shmemi_not_symmetric(const char *api, const void *addr,
				    int pe);

#endif
