/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines the typed RMA and put-with-signal routines. */
#include "host/rma.h"

#define SHMEMI_BODY_put(ctx, N, T, esize) \
	shmemi_put(__func__, ctx, dest, source, nelems, esize, pe, 0);
#define SHMEMI_BODY_put_nbi(ctx, N, T, esize) \
	shmemi_put(__func__, ctx, dest, source, nelems, esize, pe, CONDUIT_NBI);
#define SHMEMI_BODY_p(ctx, N, T, esize) \
	shmemi_p(__func__, ctx, dest, &value, esize, pe);
#define SHMEMI_BODY_get(ctx, N, T, esize) \
	shmemi_get(__func__, ctx, dest, source, nelems, esize, pe, 0);
#define SHMEMI_BODY_get_nbi(ctx, N, T, esize) \
	shmemi_get(__func__, ctx, dest, source, nelems, esize, pe, CONDUIT_NBI);
#define SHMEMI_BODY_g(ctx, N, T, esize) \
	T value = 0; \
	shmemi_get(__func__, ctx, &value, source, 1, esize, pe, 0); \
	return value;
#define SHMEMI_BODY_iput(ctx, N, T, esize) \
	shmemi_iput(__func__, ctx, dest, source, dst, sst, 1, nelems, esize, \
		    pe);
#define SHMEMI_BODY_ibput(ctx, N, T, esize) \
	shmemi_iput(__func__, ctx, dest, source, dst, sst, bsize, nblocks, \
		    esize, pe);
#define SHMEMI_BODY_iget(ctx, N, T, esize) \
	shmemi_iget(__func__, ctx, dest, source, dst, sst, 1, nelems, esize, \
		    pe);
#define SHMEMI_BODY_ibget(ctx, N, T, esize) \
	shmemi_iget(__func__, ctx, dest, source, dst, sst, bsize, nblocks, \
		    esize, pe);
#define SHMEMI_BODY_put_signal(ctx, N, T, esize) \
	shmemi_put_signal(__func__, ctx, dest, source, nelems, esize, \
			  sig_addr, signal, sig_op, pe, 0);
#define SHMEMI_BODY_put_signal_nbi(ctx, N, T, esize) \
	shmemi_put_signal(__func__, ctx, dest, source, nelems, esize, \
			  sig_addr, signal, sig_op, pe, CONDUIT_NBI);

#define SHMEMI_TABLES "host/typed_rma.def"
#include "host/typed.h"
