/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/device.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem/device/state.h>
#include <shmem/device/sync_block.h>

#include "base/line.h"
#include "base/log.h"
#include "base/order.h"
#include "conduits/gda/gda.h"
#include "conduits/proxy/proxy.h"
#include "gpu/cpu/cpu.h"
#include "gpu/gpu.h"
#include "host/alloc.h"
#include "host/module.h"
#include "host/segment.h"

/* Sync blocks for this many teams of all PEs, or for more smaller ones. */
#define TEAMS_OF_ALL 128

/* In the tail, which the host may not be able to touch. */
static struct {
	struct shmemi_alloc *alloc; /* of what follows, by offset */
	pthread_mutex_t lock;
	char *base;
	ptrdiff_t *deltas;
	struct shmemd_team *teams;
	struct shmemd_ctx *ctxs;
	struct shmemd_error *error; /* in host memory */
	int host_heap_used;
} tail = { .lock = PTHREAD_MUTEX_INITIALIZER };

int shmemi_platform_open(const struct boot_info *info)
{
	const char *word = shmemi_platform_words[shmemi.env.platform];
	int rc;

	if (shmemg)
		return 0;
	shmemg_cpu_set_wave(shmemi.env.cpu_wave == SHMEMI_WAVE_32 ? 32 : 64);
	shmemg_cpu_set_gangs(shmemi.env.cpu_gangs);
	/* Where the start-up can't know the node yet, all are on one. */
	rc = shmemg_open(word, shmemi.env.gpu,
			 info->n_local ? info->local_rank : info->pe);
	if (rc)
		return rc;
	if (shmemg == &shmemg_cpu && !shmemi.env.cpu_host_access)
		shmemg_device.host_access = 0;
	return 0;
}

int shmemi_device_is_default(void)
{
	return shmemg != &shmemg_cpu && shmemi.env.device_heap_size_bytes;
}

/* No more than pairs of the world have, so that more small teams fit. */
static uint32_t room_bytes(int n_pes)
{
	const uint32_t least = SHMEMD_LL_BYTES(n_pes);
	const uint32_t most = shmemd_room_bytes(shmemi.n_pes);

	return least > most ? least : most;
}

/* A team's sync block, and behind it the tables of its members. */
static size_t syncs_offset(int n_pes)
{
	return shmemd_sync_bytes(n_pes, room_bytes(n_pes));
}

static size_t map_offset(int n_pes)
{
	return syncs_offset(n_pes) +
	       (size_t)n_pes * sizeof(struct shmemd_sync *);
}

static size_t team_bytes(int n_pes)
{
	return map_offset(n_pes) + (size_t)n_pes * sizeof(int32_t);
}

size_t shmemi_device_tail_bytes(int n_pes)
{
	return (size_t)n_pes * sizeof(*tail.deltas) +
	       SHMEMD_TEAMS * sizeof(*tail.teams) +
	       SHMEMD_ALL_CTXS * sizeof(*tail.ctxs) +
	       TEAMS_OF_ALL * team_bytes(n_pes);
}

/* What can't be told to the device can't be survived. */
static void must(int rc)
{
	if (rc)
		shmemi_fatal("can't write to device memory: %s", strerror(-rc));
}

static void tell(void *dst, const void *src, size_t bytes)
{
	must(shmemg->copy(dst, src, bytes));
}

static int tail_get(size_t bytes, size_t *offset)
{
	int rc;

	pthread_mutex_lock(&tail.lock);
	rc = shmemi_alloc_get(tail.alloc, CACHE_LINE_BYTES, bytes, offset);
	pthread_mutex_unlock(&tail.lock);
	return rc;
}

static void *tail_table(size_t bytes)
{
	size_t offset;

	return tail_get(bytes, &offset) ? NULL : tail.base + offset;
}

int shmemi_device_open(void)
{
	const struct shmemi_segment *heap = &shmemi.segment[CONDUIT_DEVICE];
	size_t bytes = shmemi_device_tail_bytes(shmemi.n_pes);
	void *error;
	int rc = shmemi_alloc_create(&tail.alloc, bytes);

	if (rc) {
		shmemi_log_error("out of memory for the records of the heap");
		return rc;
	}
	rc = shmemg->host_alloc(sizeof(*tail.error), &error);
	if (rc) {
		shmemi_alloc_destroy(tail.alloc);
		return rc;
	}
	tail.error = error;
	tail.base = heap->base + heap->bytes;
	tail.deltas = tail_table((size_t)shmemi.n_pes * sizeof(*tail.deltas));
	tail.teams = tail_table(SHMEMD_TEAMS * sizeof(*tail.teams));
	tail.ctxs = tail_table(SHMEMD_ALL_CTXS * sizeof(*tail.ctxs));
	return 0;
}

void shmemi_device_forget(void)
{
	static const struct shmemd_block none;

	shmemi_modules_fill(&none);
	gda_close();
	proxy_close();
	shmemg->host_free(tail.error);
	shmemi_alloc_destroy(tail.alloc);
	tail.error = NULL;
	tail.host_heap_used = 0;
	tail.alloc = NULL;
}

/* The heap that kernels find fastest: the device's, if it has one. */
static int fast_segment(void)
{
	return shmemi.segment[CONDUIT_DEVICE].bytes ? CONDUIT_DEVICE :
						      CONDUIT_HEAP;
}

static char *mapped(int seg, int pe)
{
	return seg == CONDUIT_DEVICE ? shmemi.peers[pe].device :
				       shmemi.routes[pe].base[seg];
}

static ptrdiff_t delta(int pe)
{
	int seg = fast_segment();
	char *there = mapped(seg, pe);

	if (!there)
		return SHMEMD_FAR;
	return (ptrdiff_t)((uintptr_t)there -
			   (uintptr_t)shmemi.segment[seg].base);
}

static void fill_other(struct shmemd_segment *out, int seg)
{
	*out = (struct shmemd_segment){
		.base = shmemi.segment[seg].base,
		.bytes = shmemi.segment[seg].bytes,
		.first = shmemi_slot(0, seg),
		.stride = shmemi_slot(1, seg) - shmemi_slot(0, seg),
	};
}

/* Near PEs are those that come before the first that is out of reach. */
static void fill_deltas(struct shmemd_block *block)
{
	int near = 1;

	for (int pe = 0; pe < shmemi.n_pes; pe++) {
		ptrdiff_t d = delta(pe);

		tell(&tail.deltas[pe], &d, sizeof(d));
		if (pe < SHMEMD_NEAR)
			block->delta[pe] = d;
		near = near && pe < SHMEMD_NEAR && d != SHMEMD_FAR;
		block->n_near += near;
		block->n_far += d == SHMEMD_FAR;
	}
	block->deltas = tail.deltas;
}

static int proxy_makes_atomics(void)
{
	if (shmemi.env.host_atomics == SHMEMI_ATOMICS_AUTO)
		return !shmemg_device.host_atomics;
	return shmemi.env.host_atomics == SHMEMI_ATOMICS_PROXY;
}

/* Segments of host memory tell which atomics are the proxy's. */
static void fill_segments(struct shmemd_block *block)
{
	const int seg = fast_segment();
	const struct shmemi_segment *fast = &shmemi.segment[seg];

	block->heap = fast->base;
	block->heap_bytes = fast->bytes;
	block->fast_bytes = shmemi.env.check ? 0 : fast->bytes;
	block->host_atomics = (uint32_t)proxy_makes_atomics();
	block->amo_bytes = block->fast_bytes;
	if (seg == CONDUIT_HEAP && block->host_atomics)
		block->amo_bytes = 0;
	if (seg != CONDUIT_HEAP || block->host_atomics)
		fill_other(&block->other[0], CONDUIT_HEAP);
	fill_other(&block->other[1], CONDUIT_DATA);
}

static void fill(struct shmemd_block *block)
{
	block->layout = SHMEMD_LAYOUT;
	block->me = shmemi.me;
	block->n_pes = shmemi.n_pes;
	fill_segments(block);
	fill_deltas(block);
	block->world = shmemi_team_world.device;
	block->shared = shmemi_team_shared.device;
	block->teams = tail.teams;
	block->ctxs = tail.ctxs;
	block->error = tail.error;
	block->check = shmemi.env.check;
	block->near = shmemi.same_device && !tail.host_heap_used;
	block->alltoall = (uint32_t)shmemi.env.device_alltoall_algorithm;
	proxy_tell(&block->proxy);
	gda_tell(&block->gda);
}

int shmemi_device_is_far(int pe)
{
	return delta(pe) == SHMEMD_FAR;
}

/* Whether there are PEs that kernels' loads and stores don't reach. */
static int far_pes(void)
{
	for (int pe = 0; pe < shmemi.n_pes; pe++)
		if (shmemi_device_is_far(pe))
			return 1;
	return 0;
}

int shmemi_device_publish(void)
{
	struct shmemd_block *block = calloc(1, sizeof(*block));
	int rc;

	if (!block) {
		shmemi_log_error("out of memory for what kernels know");
		return -ENOMEM;
	}
	rc = far_pes() || proxy_makes_atomics() ? proxy_open() : 0;
	if (!rc) {
		fill(block);
		rc = shmemi_modules_fill(block);
	}
	free(block);
	return rc;
}

void shmemi_device_host_heap_used(void)
{
	if (tail.host_heap_used || !shmemi_device_is_default())
		return;
	tail.host_heap_used = 1;
	if (shmemi_device_publish())
		shmemi_fatal("kernels can't be told that the host heap is "
			     "in use");
}

void shmemi_device_team_get(struct shmem_team *team)
{
	size_t offset;

	team->device_offset = SHMEMI_NO_BLOCK;
	if (!team->handle || team->handle >= SHMEMD_TEAMS ||
	    tail_get(team_bytes(team->n_pes), &offset))
		return;
	team->device_offset = offset;
}

/*
 * Where a PE's block lies for my kernels: as mapped here, or, of a far PE, the
 * place of my own segment at the same offset.
 */
static char *block_of(int pe, uint64_t offset)
{
	char *base = shmemi.peers[pe].device;

	if (!base)
		base = shmemi.segment[CONDUIT_DEVICE].base;
	return base + shmemi.segment[CONDUIT_DEVICE].bytes + offset;
}

/* Every member's block; 0 if one has none. */
static int fill_syncs(const struct shmem_team *team, const uint64_t *offsets,
		      struct shmemd_sync **syncs)
{
	for (int i = 0; i < team->n_pes; i++) {
		uint64_t offset = offsets ? offsets[i] : team->device_offset;

		if (offset == SHMEMI_NO_BLOCK)
			return 0;
		syncs[i] =
			(void *)block_of(shmemi_team_world_pe(team, i), offset);
	}
	return 1;
}

/* Blocks at one offset are found by the distance that PEs' heaps have. */
static int by_delta(const uint64_t *offsets)
{
	return !offsets && fast_segment() == CONDUIT_DEVICE &&
	       shmemi.n_pes <= SHMEMD_NEAR && !far_pes();
}

static uint32_t far_members(const struct shmem_team *team)
{
	uint32_t n = 0;

	for (int i = 0; i < team->n_pes; i++)
		n += (uint32_t)shmemi_device_is_far(
			shmemi_team_world_pe(team, i));
	return n;
}

/* Up to here an alltoall goes by one exchange of packets. */
static uint32_t packets_bytes(int n_pes)
{
	const size_t most = room_bytes(n_pes);
	size_t wanted = shmemi.env.device_alltoall_packets_max_bytes;

	if (wanted == SHMEMI_ENV_SIZE_AUTO)
		wanted = SHMEMD_ROOM_ALL / (size_t)n_pes;

	switch (shmemi.env.device_alltoall_algorithm) {
	case SHMEMD_ALLTOALL_PUSH:
		return 0;
	case SHMEMD_ALLTOALL_PACKETS:
		return (uint32_t)most;
	default:
		return (uint32_t)(wanted < most ? wanted : most);
	}
}

static void tell_team(struct shmem_team *team, const uint64_t *offsets,
		      struct shmemd_sync **syncs)
{
	size_t n = (size_t)team->n_pes;
	char *block = tail.base + team->device_offset;
	char *table = block + syncs_offset(team->n_pes);

	team->device = (struct shmemd_team){
		.me = team->me,
		.n_pes = team->n_pes,
		.start = team->start,
		.stride = team->stride,
		.sync = (void *)block,
		.syncs = by_delta(offsets) ? NULL : (void *)table,
		.ll_bytes = SHMEMD_LL_BYTES(team->n_pes),
		.room_bytes = room_bytes(team->n_pes),
		.far = far_members(team),
		.packets_bytes = packets_bytes(team->n_pes),
	};
	tell(table, syncs, n * sizeof(*syncs));
	if (team->map) {
		team->device.map = (void *)(block + map_offset(team->n_pes));
		tell(block + map_offset(team->n_pes), team->map,
		     n * sizeof(*team->map));
	}
	tell(&tail.teams[team->handle], &team->device, sizeof(team->device));
}

void shmemi_device_team_set(struct shmem_team *team, const uint64_t *offsets)
{
	struct shmemd_sync **syncs =
		malloc((size_t)team->n_pes * sizeof(*syncs));

	if (!syncs)
		shmemi_fatal("out of memory for a team of %d PEs", team->n_pes);
	if (team->device_offset != SHMEMI_NO_BLOCK &&
	    fill_syncs(team, offsets, syncs))
		tell_team(team, offsets, syncs);
	free(syncs);
}

/* Those that kernels made: the team's handle will be another team's. */
static void forget_ctxs(unsigned int handle)
{
	static const struct shmemd_ctx none;
	struct shmemd_ctx copy[256];

	_Static_assert(SHMEMD_DEVICE_CTXS % 256 == 0, "whole copies");
	for (int at = 0; at < SHMEMD_DEVICE_CTXS; at += 256) {
		struct shmemd_ctx *made = tail.ctxs + SHMEMD_CTXS + at;

		tell(copy, made, sizeof(copy));
		for (int i = 0; i < 256; i++)
			if (copy[i].live && copy[i].team == handle)
				tell(&made[i], &none, sizeof(none));
	}
}

void shmemi_device_team_put(struct shmem_team *team)
{
	static const struct shmemd_team none;

	if (team->device_offset == SHMEMI_NO_BLOCK)
		return;
	forget_ctxs(team->handle);
	tell(&tail.teams[team->handle], &none, sizeof(none));
	must(shmemg->fill(tail.base + team->device_offset, 0,
			  team_bytes(team->n_pes)));
	pthread_mutex_lock(&tail.lock);
	shmemi_alloc_put(tail.alloc, team->device_offset);
	pthread_mutex_unlock(&tail.lock);
}

void shmemi_device_ctx_set(unsigned int handle, const struct shmem_team *team,
			   long options)
{
	struct shmemd_ctx ctx = { 0 };

	if (handle >= SHMEMD_CTXS)
		return;
	if (team) {
		ctx.live = 1;
		ctx.team = team->handle;
		ctx.options = (uint32_t)options;
	}
	tell(&tail.ctxs[handle], &ctx, sizeof(ctx));
	if (team)
		gda_begin(handle, options);
}

long shmemi_device_ctx_options(unsigned int handle)
{
	struct shmemd_ctx ctx;

	tell(&ctx, &tail.ctxs[handle], sizeof(ctx));
	return (long)ctx.options;
}

static _Noreturn void report_counts(const struct shmemd_error *e, int name,
				    const char *rest)
{
	char pe[24] = "";

	if (e->pe >= 0)
		snprintf(pe, sizeof(pe), " of PE %d", e->pe);
	shmemi_fatal("%s in work-group %u: %.*s is %llu,%s %llu%s", e->routine,
		     e->wg, name, e->what, (unsigned long long)e->value, rest,
		     (unsigned long long)e->expected, pe);
}

/* what is "argument: what was expected". */
static _Noreturn void report(const struct shmemd_error *e)
{
	int name = (int)strcspn(e->what, ":");
	const char *rest = e->what[name] ? e->what + name + 1 : "";

	if (e->counts)
		report_counts(e, name, rest);
	if (!strncmp(e->what, "pe:", 3))
		shmemi_fatal("%s in work-group %u: %.*s is %lld,%s", e->routine,
			     e->wg, name, e->what, (long long)e->pe, rest);
	shmemi_fatal("%s in work-group %u: %.*s is 0x%llx,%s", e->routine,
		     e->wg, name, e->what, (unsigned long long)e->value, rest);
}

void shmemi_device_error_check(void)
{
	if (tail.error &&
	    flag_load32(&tail.error->state) == SHMEMD_ERROR_WRITTEN)
		report(tail.error);
}
