/* SPDX-License-Identifier: BSD-3-Clause */
/* The team forms behind compat.h, which alone includes this. */

static const bool compat_has_signal = true;

static inline void compat_open(size_t max_words)
{
	(void)max_words;
}

static inline void compat_close(void)
{
}

static inline void compat_broadcast(long *dst, const long *src, size_t n,
				    int root)
{
	shmem_long_broadcast(SHMEM_TEAM_WORLD, dst, src, n, root);
}

static inline void compat_sum(double *dst, const double *src, size_t n)
{
	shmem_double_sum_reduce(SHMEM_TEAM_WORLD, dst, src, n);
}

static inline void compat_collect(long *dst, const long *src, size_t n)
{
	shmem_long_collect(SHMEM_TEAM_WORLD, dst, src, n);
}

static inline void compat_fcollect(long *dst, const long *src, size_t n)
{
	shmem_long_fcollect(SHMEM_TEAM_WORLD, dst, src, n);
}

static inline void compat_alltoall(long *dst, const long *src, size_t n)
{
	shmem_long_alltoall(SHMEM_TEAM_WORLD, dst, src, n);
}

static inline void compat_put_signal(void *dst, const void *src, size_t bytes,
				     uint64_t *signal, uint64_t value, int pe)
{
	shmem_putmem_signal(dst, src, bytes, signal, value, SHMEM_SIGNAL_SET,
			    pe);
}

static inline void compat_wait_signal(uint64_t *signal, uint64_t value)
{
	shmem_signal_wait_until(signal, SHMEM_CMP_GE, value);
}
