/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations in the order of a stream. They put kernels and copies on it, and
 * nothing that the host would have to do again when a graph repeats them.
 */
#ifndef SHMEMI_STREAM_H
#define SHMEMI_STREAM_H

#pragma GCC visibility push(default)
#include <shmem/stream.h>
#pragma GCC visibility pop

#include "device/kernels.h"
#include "gpu/gpu.h"
#include "host/team.h"

/*
 * The bodies of the rows of stream.def. api names
 * the caller in errors; what fails ends the job, after a line.
 */
void shmemi_stream_put(const char *api, void *dest, const void *source,
		       size_t nelems, size_t esize, int pe,
		       shmemx_stream_t stream);
void shmemi_stream_get(const char *api, void *dest, const void *source,
		       size_t nelems, size_t esize, int pe,
		       shmemx_stream_t stream);
void shmemi_stream_put_signal(const char *api, void *dest, const void *source,
			      size_t nelems, size_t esize, uint64_t *sig_addr,
			      uint64_t signal, int sig_op, int pe,
			      shmemx_stream_t stream);
void shmemi_stream_wait(const char *api, const void *ivar, size_t bytes,
			int is_signed, int cmp, uint64_t value,
			shmemx_stream_t stream);

/* A collective, as its row has it. */
struct shmemi_stream_coll {
	enum shmemd_kernel kernel;
	void *dest;
	const void *source;
	size_t nelems, esize;
	ptrdiff_t dst, sst; /* alltoalls */
	int root;	    /* broadcast */
	int op;		    /* a reduction's enum shmemd_reduce */
};

/* -1 for SHMEM_TEAM_INVALID, else 0. */
int shmemi_stream_coll(const char *api, shmem_team_t team,
		       const struct shmemi_stream_coll *call,
		       shmemx_stream_t stream);

/* The same of an exchange of vectors; team and grid of args are filled here. */
int shmemi_stream_alltoallv(const char *api, shmem_team_t team,
			    struct shmemd_args_alltoallv args,
			    shmemx_stream_t stream);

/* 2 for a floating-point type, 1 for a signed one, 0 for an unsigned one. */
#define SHMEMI_STREAM_KIND(T) ((T)0.5 > 0 ? 2 : (T)-1 < (T)1)

/* The kernel that reduces elements of a kind and size. */
enum shmemd_kernel shmemi_reduce_kernel(int kind, size_t esize,
					enum shmemd_reduce op);

#endif
