/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams, and what the collectives need of one. */
#ifndef SHMEMI_TEAM_H
#define SHMEMI_TEAM_H

#include <pthread.h>
#include <stdint.h>

#include <shmem/device/state.h>

#include "host/handle.h"
#include "host/shmemi.h"

struct coll_block;
struct coll_nodes;

struct shmem_team {
	int me;
	int n_pes;
	/* World PE of member i: start + i * stride, or map[i] when not NULL. */
	int start;
	int stride;
	int *map;
	shmem_team_config_t config;
	struct shmem_ctx *contexts;	 /* those to destroy with the team */
	pthread_mutex_t lock;		 /* of the list of contexts */
	struct shmem_team *next, **link; /* in the list of split teams */
	unsigned int handle;		 /* 0: not for users */

	struct shmemd_team device; /* what kernels know; 0 PEs: nothing */
	uint64_t device_offset;	   /* of my sync block; see device.h */

	size_t block_offset;	   /* my coll_block, in my sync segment */
	struct coll_block **block; /* every member's; NULL: it is far */
	size_t *offset;		   /* every member's block_offset */
	struct coll_nodes *nodes;  /* NULL: no member is far */
	uint64_t seq;		   /* of the newest collective */
	uint64_t central_rounds;   /* central barriers so far */
	uint64_t floor; /* all members have left the collectives up to this */
};

extern visibility_hidden struct shmem_team shmemi_team_world;
extern visibility_hidden struct shmem_team shmemi_team_shared;

extern visibility_hidden struct shmemi_handles shmemi_teams;

/* The team of a handle; NULL for one that is none, or destroyed. */
static inline struct shmem_team *shmemi_team(shmem_team_t handle)
{
	if (likely(handle == SHMEM_TEAM_WORLD))
		return &shmemi_team_world;
	return shmemi_handle_object(&shmemi_teams, (uintptr_t)handle);
}

/* The handle that the user knows a team by. */
static inline shmem_team_t shmemi_team_handle(const struct shmem_team *team)
{
	return (shmem_team_t)(uintptr_t)team->handle;
}

static inline int shmemi_team_world_pe(const struct shmem_team *team, int pe)
{
	return team->map ? team->map[pe] : team->start + pe * team->stride;
}

/* Member number of a world PE, or -1. */
int shmemi_team_member(const struct shmem_team *team, int world_pe);

/* Makes WORLD and SHARED, after the peers are mapped. 0 or -ENOMEM, logged. */
int shmemi_teams_open(void);
void shmemi_teams_close(void);

/*
 * The team behind an active set of the deprecated collectives: made on first
 * use by its members alone, and kept. Exits through shmemi_fatal() when the
 * set is not one.
 */
struct shmem_team *shmemi_active_set(const char *api, int start, int log_stride,
				     int size);

/* Where members of new sets meet; opened with the teams. 0 or -ENOMEM. */
int shmemi_active_sets_open(void);
void shmemi_active_sets_close(void);

/*
 * The pieces that a team is made of. shmemi_team_new() fills everything but
 * the peers' blocks, whose offsets the members exchange; block_set() enters
 * one, and link() follows the last: 0 or -ENOMEM. NULL when memory or the sync
 * segment is exhausted. publish() gives the team a handle and its sync block
 * for kernels, whose offsets the members exchange for shmemi_device_team_set();
 * -ENOMEM if there are no more handles.
 */
struct shmem_team *shmemi_team_new(int me, int n_pes, int start, int stride);
int shmemi_team_publish(struct shmem_team *team);
void shmemi_team_block_set(struct shmem_team *team, int member, size_t offset);
int shmemi_team_link(struct shmem_team *team);
void shmemi_team_delete(struct shmem_team *team);

#endif
