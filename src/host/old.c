/* SPDX-License-Identifier: BSD-3-Clause */
/* Deprecated routines that are another by an older name, or nothing. */
#include "host/shmemi.h"

void pstart_pes(int npes)
{
	int initialized;

	(void)npes;
	pshmem_query_initialized(&initialized);
	if (!initialized)
		pshmem_init();
}
weak_alias(pstart_pes, start_pes);

int p_my_pe(void)
{
	return pshmem_my_pe();
}
weak_alias(p_my_pe, _my_pe);

int p_num_pes(void)
{
	return pshmem_n_pes();
}
weak_alias(p_num_pes, _num_pes);

void *pshmalloc(size_t size)
{
	return pshmem_malloc(size);
}
weak_alias(pshmalloc, shmalloc);

void pshfree(void *ptr)
{
	pshmem_free(ptr);
}
weak_alias(pshfree, shfree);

void *pshrealloc(void *ptr, size_t size)
{
	return pshmem_realloc(ptr, size);
}
weak_alias(pshrealloc, shrealloc);

void *pshmemalign(size_t alignment, size_t size)
{
	return pshmem_align(alignment, size);
}
weak_alias(pshmemalign, shmemalign);

void pshmem_wait(long *ivar, long cmp_value)
{
	pshmem_long_wait(ivar, cmp_value);
}
weak_alias(pshmem_wait, shmem_wait);

void pshmem_wait_until(long *ivar, int cmp, long cmp_value)
{
	pshmem_long_wait_until(ivar, cmp, cmp_value);
}
weak_alias(pshmem_wait_until, shmem_wait_until);

/* Caches are coherent; these once were for machines where they were not. */
void pshmem_clear_cache_inv(void)
{
}
weak_alias(pshmem_clear_cache_inv, shmem_clear_cache_inv);

void pshmem_set_cache_inv(void)
{
}
weak_alias(pshmem_set_cache_inv, shmem_set_cache_inv);

void pshmem_clear_cache_line_inv(void *dest)
{
	(void)dest;
}
weak_alias(pshmem_clear_cache_line_inv, shmem_clear_cache_line_inv);

void pshmem_set_cache_line_inv(void *dest)
{
	(void)dest;
}
weak_alias(pshmem_set_cache_line_inv, shmem_set_cache_line_inv);

void pshmem_udcflush(void)
{
}
weak_alias(pshmem_udcflush, shmem_udcflush);

void pshmem_udcflush_line(void *dest)
{
	(void)dest;
}
weak_alias(pshmem_udcflush_line, shmem_udcflush_line);
