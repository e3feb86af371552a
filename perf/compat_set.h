/* SPDX-License-Identifier: BSD-3-Clause */
/* The active-set forms behind compat.h, which alone includes this. */

static const bool compat_has_signal;

enum {
	/* More than any of them needs, in whole cache lines. */
	COMPAT_SYNC_LONGS =
		(SHMEM_BCAST_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE +
		 SHMEM_COLLECT_SYNC_SIZE + SHMEM_ALLTOALL_SYNC_SIZE + 7) /
		8 * 8,
	COMPAT_SYNCS = 2 * BENCH_WINDOW,
};

static struct {
	long *sync; /* COMPAT_SYNCS arrays */
	double *work[2];
	unsigned turn;
} compat;

static inline void compat_open(size_t max_words)
{
	const size_t nlongs = (size_t)COMPAT_SYNCS * COMPAT_SYNC_LONGS;
	size_t nwork = max_words / 2 + 1;

	if (nwork < SHMEM_REDUCE_MIN_WRKDATA_SIZE)
		nwork = SHMEM_REDUCE_MIN_WRKDATA_SIZE;
	compat.sync = comm_alloc(nlongs * sizeof(long));
	for (size_t i = 0; i < nlongs; i++)
		compat.sync[i] = SHMEM_SYNC_VALUE;
	for (int i = 0; i < 2; i++)
		compat.work[i] = comm_alloc(nwork * sizeof(double));
	shmem_barrier_all();
}

static inline void compat_close(void)
{
	for (int i = 0; i < 2; i++)
		comm_free(compat.work[i]);
	comm_free(compat.sync);
}

/* The next of n arrays that are used in turn. */
static inline long *compat_sync(unsigned n)
{
	return compat.sync + compat.turn++ % n * COMPAT_SYNC_LONGS;
}

static inline void compat_broadcast(long *dst, const long *src, size_t n,
				    int root)
{
	shmem_broadcast64(dst, src, n, root, 0, 0, shmem_n_pes(),
			  compat_sync(COMPAT_SYNCS));
}

static inline void compat_sum(double *dst, const double *src, size_t n)
{
	double *work = compat.work[compat.turn % 2];

	shmem_double_sum_to_all(dst, src, (int)n, 0, 0, shmem_n_pes(), work,
				compat_sync(2));
}

static inline void compat_collect(long *dst, const long *src, size_t n)
{
	shmem_collect64(dst, src, n, 0, 0, shmem_n_pes(), compat_sync(2));
}

static inline void compat_fcollect(long *dst, const long *src, size_t n)
{
	shmem_fcollect64(dst, src, n, 0, 0, shmem_n_pes(), compat_sync(2));
}

static inline void compat_alltoall(long *dst, const long *src, size_t n)
{
	shmem_alltoall64(dst, src, n, 0, 0, shmem_n_pes(), compat_sync(2));
}

static inline void compat_put_signal(void *dst, const void *src, size_t bytes,
				     uint64_t *signal, uint64_t value, int pe)
{
	shmem_putmem(dst, src, bytes, pe);
	shmem_fence();
	shmem_uint64_p(signal, value, pe);
}

static inline void compat_wait_signal(uint64_t *signal, uint64_t value)
{
	shmem_uint64_wait_until(signal, SHMEM_CMP_GE, value);
}
