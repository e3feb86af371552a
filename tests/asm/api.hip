/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels with one call of the API each, by scope, for registers and the rules
 * that hold for all: nothing is kept in memory, threads and waves meet no
 * work-group. `long` stands for the types.
 */
#include <shmem.h>

#define KERNEL(name, ...) \
	extern "C" __attribute__((global)) void name(__VA_ARGS__)

KERNEL(thread_p, long *d, long v, int pe) { shmem_long_p(d, v, pe); }
KERNEL(thread_g, const long *s, long *out, int pe) { *out = shmem_long_g(s, pe); }
KERNEL(thread_put, long *d, const long *s, size_t n, int pe)
{
	shmem_long_put(d, s, n, pe);
}
KERNEL(thread_get, long *d, const long *s, size_t n, int pe)
{
	shmem_long_get(d, s, n, pe);
}
KERNEL(thread_put_signal, char *d, const char *s, size_t n, uint64_t *sig,
       int pe)
{
	shmem_putmem_signal(d, s, n, sig, 1, SHMEM_SIGNAL_SET, pe);
}
KERNEL(thread_add, long *d, int pe) { shmem_long_atomic_add(d, 1, pe); }
KERNEL(thread_fetch_add, long *d, long *out, int pe)
{
	out[shmemd_item()] = shmem_long_atomic_fetch_add(d, 1, pe);
}
KERNEL(thread_wait, long *p) { shmem_long_wait_until(p, SHMEM_CMP_EQ, 1); }
KERNEL(thread_quiet) { shmem_quiet(); }
KERNEL(wave_put, char *d, const char *s, size_t n, int pe)
{
	shmemx_putmem_wave(d, s, n, pe);
}
KERNEL(wave_get, char *d, const char *s, size_t n, int pe)
{
	shmemx_getmem_wave(d, s, n, pe);
}
KERNEL(wave_put_signal, char *d, const char *s, size_t n, uint64_t *sig, int pe)
{
	shmemx_putmem_signal_wave(d, s, n, sig, 1, SHMEM_SIGNAL_SET, pe);
}
KERNEL(wave_barrier_all) { shmemx_barrier_all_wave(); }
KERNEL(wg_put, char *d, const char *s, size_t n, int pe)
{
	shmemx_putmem_wg(d, s, n, pe);
}
KERNEL(wg_put_nbi, char *d, const char *s, size_t n, int pe)
{
	shmemx_putmem_nbi_wg(d, s, n, pe);
}
KERNEL(wg_get, char *d, const char *s, size_t n, int pe)
{
	shmemx_getmem_wg(d, s, n, pe);
}
KERNEL(wg_put_signal, char *d, const char *s, size_t n, uint64_t *sig, int pe)
{
	shmemx_putmem_signal_wg(d, s, n, sig, 1, SHMEM_SIGNAL_SET, pe);
}
KERNEL(wg_barrier_all) { shmemx_barrier_all_wg(); }
KERNEL(wg_alltoall, char *d, const char *s, size_t n)
{
	shmemx_alltoallmem_wg(SHMEM_TEAM_WORLD, d, s, n);
}
KERNEL(wg_sum, long *d, const long *s, size_t n)
{
	shmemx_long_sum_reduce_wg(SHMEM_TEAM_WORLD, d, s, n);
}
