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

/* Waves of the scope, a part of one too, and this one's number. */
SHMEMD_FN unsigned int shmemd_waves_in_wg(void)
{
	const unsigned int wave = shmemd_wave_size();

	return (shmemd_nitems() + wave - 1) / wave;
}

SHMEMD_FN unsigned int shmemd_waves_of(enum shmemd_scope s)
{
	if (s == SHMEMD_THREAD || s == SHMEMD_WAVE)
		return 1;
	return shmemd_waves_in_wg() * (s == SHMEMD_GRID ? shmemd_nwgs() : 1);
}

SHMEMD_FN unsigned int shmemd_wave_in(enum shmemd_scope s)
{
	const unsigned int wave = shmemd_item() / shmemd_wave_size();

	if (s == SHMEMD_THREAD || s == SHMEMD_WAVE)
		return 0;
	return s == SHMEMD_GRID ? shmemd_wg() * shmemd_waves_in_wg() + wave :
				  wave;
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
