/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scopes: which work-items make a call together, and how they meet.
 *
 * Group calls (wave, wg, grid) are made by all work-items of the group with the
 * same arguments. s is a compile-time constant at every use.
 */
#ifndef SHMEM_DEVICE_SCOPE_H
#define SHMEM_DEVICE_SCOPE_H

#include <shmem/device/arch.h>

/* My place among the work-items of the scope, 0 to its size - 1. */
SHMEMD_FN unsigned int shmemd_scope_index(enum shmemd_scope s)
{
	if (s == SHMEMD_THREAD)
		return 0;
	if (s == SHMEMD_WAVE)
		return shmemd_lane();
	if (s == SHMEMD_WG)
		return shmemd_item();
	return shmemd_wg() * shmemd_nitems() + shmemd_item();
}

/* Work-items of the scope. */
SHMEMD_FN unsigned int shmemd_scope_size(enum shmemd_scope s)
{
	if (s == SHMEMD_THREAD)
		return 1;
	if (s == SHMEMD_WAVE)
		return shmemd_wave_items();
	if (s == SHMEMD_WG)
		return shmemd_nitems();
	return shmemd_nwgs() * shmemd_nitems();
}

/* Barrier of the scope; of the grid, each work-group's own. */
SHMEMD_FN void shmemd_scope_sync(enum shmemd_scope s)
{
	if (s == SHMEMD_WAVE)
		shmemd_wave_barrier();
	else if (s != SHMEMD_THREAD)
		shmemd_wg_barrier();
}

/* What the scope's item 0 has, for all; with a barrier. Grid: as wg. */
SHMEMD_FN uint64_t shmemd_scope_bcast(enum shmemd_scope s, uint64_t v)
{
	if (s == SHMEMD_THREAD)
		return v;
	if (s == SHMEMD_WAVE)
		return shmemd_wave_bcast(v);
	return shmemd_wg_bcast(v);
}

#endif
