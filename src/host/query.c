/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program may ask about itself, its peers and the library. */
#include <stdio.h>

#include "host/check.h"
#include "host/move.h"

int pshmem_my_pe(void)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	return shmemi.me;
}
weak_alias(pshmem_my_pe, shmem_my_pe);

int pshmem_n_pes(void)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	return shmemi.n_pes;
}
weak_alias(pshmem_n_pes, shmem_n_pes);

static int accessible(const char *api, int pe)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	return pe >= 0 && pe < shmemi.n_pes;
}

int pshmem_pe_accessible(int pe)
{
	return accessible(__func__, pe);
}
weak_alias(pshmem_pe_accessible, shmem_pe_accessible);

int pshmem_addr_accessible(const void *addr, int pe)
{
	size_t offset;

	return accessible(__func__, pe) && shmemi_locate(addr, &offset) >= 0;
}
weak_alias(pshmem_addr_accessible, shmem_addr_accessible);

void *pshmem_ptr(const void *dest, int pe)
{
	size_t offset;
	void *direct;

	if (!accessible(__func__, pe) || shmemi_locate(dest, &offset) < 0)
		return NULL;
	if (pe == shmemi.me)
		return (void *)dest;
	direct = shmemi_direct(dest, pe);
	return direct ? direct : shmemi_mapped(dest, pe);
}
weak_alias(pshmem_ptr, shmem_ptr);

void *pshmem_team_ptr(shmem_team_t handle, const void *dest, int pe)
{
	const struct shmem_team *team = shmemi_team(handle);

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	if (!team || pe < 0 || pe >= team->n_pes)
		return NULL;
	return pshmem_ptr(dest, shmemi_team_world_pe(team, pe));
}
weak_alias(pshmem_team_ptr, shmem_team_ptr);

void pshmem_info_get_version(int *major, int *minor)
{
	*major = SHMEM_MAJOR_VERSION;
	*minor = SHMEM_MINOR_VERSION;
}
weak_alias(pshmem_info_get_version, shmem_info_get_version);

void pshmem_info_get_name(char *name)
{
	_Static_assert(sizeof(SHMEM_VENDOR_STRING) <= SHMEM_MAX_NAME_LEN,
		       "name");
	snprintf(name, SHMEM_MAX_NAME_LEN, "%s", SHMEM_VENDOR_STRING);
}
weak_alias(pshmem_info_get_name, shmem_info_get_name);

/* For tools that interpose; the library itself profiles nothing. */
void pshmem_pcontrol(int level, ...)
{
	(void)level;
}
weak_alias(pshmem_pcontrol, shmem_pcontrol);
