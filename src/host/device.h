/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What kernels know of this PE: the block that every module with kernels
 * holds, tables of teams and contexts in device memory, and the record in
 * which kernels leave a misuse. The tables and the teams' sync blocks lie in
 * the device segment, behind the user's heap.
 */
#ifndef SHMEMI_DEVICE_H
#define SHMEMI_DEVICE_H

#include "boot/boot.h"
#include "host/team.h"

/*
 * Takes the platform of SHMEM_PLATFORM, for as long as the process lives.
 * 0 or a negative errno, logged.
 */
int shmemi_platform_open(const struct boot_info *info);

/* 1 if shmem_malloc takes device memory. After shmemi_platform_open(). */
int shmemi_device_is_default(void);

/* Of the device segment, what lies behind the heap, for teams of n_pes PEs. */
size_t shmemi_device_tail_bytes(int n_pes);

/*
 * open: after the segments are mapped, before any team. publish: after WORLD
 * and SHARED are made; from then on kernels may call the library. forget: no
 * kernel runs any more. 0 or a negative errno, logged.
 */
int shmemi_device_open(void);
int shmemi_device_publish(void);
void shmemi_device_forget(void);

/* Whether kernels' loads and stores don't reach a PE. */
int shmemi_device_is_far(int pe);

/*
 * A team's sync block. get: my own, zeroed; its offset in the tail goes to
 * team->device_offset, or SHMEMI_NO_BLOCK if there is no room or kernels don't
 * know teams of so high a handle. set: offsets of all members, of which one
 * may be SHMEMI_NO_BLOCK: kernels then don't know the team. put: kernels have
 * forgotten the team, and no peer's touches the block.
 */
#define SHMEMI_NO_BLOCK UINT64_MAX
void shmemi_device_team_get(struct shmem_team *team);
void shmemi_device_team_set(struct shmem_team *team, const uint64_t *offsets);
void shmemi_device_team_put(struct shmem_team *team);

/* Tells kernels of a context, or with team NULL that it is gone. */
void shmemi_device_ctx_set(unsigned int handle, const struct shmem_team *team,
			   long options);

/* Of one that kernels use, theirs too: handle is below SHMEMD_ALL_CTXS. */
long shmemi_device_ctx_options(unsigned int handle);

/* The host heap holds something: host CPUs may look at what is stored there. */
void shmemi_device_host_heap_used(void);

/* Ends the job if a kernel of this PE has found a misuse. */
void shmemi_device_error_check(void);

#endif
