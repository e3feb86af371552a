/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a symmetric address and a PE to the address where loads and stores of
 * this device reach that PE's copy; from teams and contexts to PEs.
 *
 * api is the routine's name, for the record of a misuse. After a misuse the
 * work-item has ended: what these functions then return is never used.
 */
#include <shmem.h>

#ifndef SHMEM_DEVICE_REACH_H
#define SHMEM_DEVICE_REACH_H

#include <shmem/device/error.h>

SHMEMD_FN int shmemd_in(const char *base, size_t all_bytes, const void *addr,
			size_t bytes)
{
	const size_t off = (uintptr_t)addr - (uintptr_t)base;

	return off < all_bytes && bytes <= all_bytes - off;
}

/* Whether loads and stores reach the PE. */
SHMEMD_FN int shmemd_pe_near(int pe)
{
	if ((unsigned int)pe < shmemd_block.n_near)
		return 1;
	return (unsigned int)pe < (unsigned int)shmemd_block.n_pes &&
	       shmemd_block.deltas[pe] != SHMEMD_FAR;
}

/* Whether it is a PE that loads and stores don't reach (far.h). */
SHMEMD_FN int shmemd_pe_far(int pe)
{
	return (unsigned int)pe < (unsigned int)shmemd_block.n_pes &&
	       !shmemd_pe_near(pe);
}

SHMEMD_FN ptrdiff_t shmemd_pe_delta(int pe)
{
	if ((unsigned int)pe < shmemd_block.n_near)
		return shmemd_block.delta[pe];
	return shmemd_block.deltas[pe];
}

/*
 * PE pe's copy of the bytes at addr; NULL if these are not symmetric, or if
 * loads and stores don't reach pe, which may be any number.
 */
SHMEMD_FN void *shmemd_find(const void *addr, size_t bytes, int pe)
{
	const struct shmemd_segment *seg = shmemd_block.other;
	int i;

	if (!shmemd_pe_near(pe))
		return NULL;
	if (shmemd_in(shmemd_block.heap, shmemd_block.heap_bytes, addr, bytes))
		return (char *)addr + shmemd_pe_delta(pe);
	for (i = 0; i < SHMEMD_NSEGMENTS; i++, seg++) {
		if (!shmemd_in(seg->base, seg->bytes, addr, bytes))
			continue;
		if (pe == shmemd_block.me)
			return (char *)addr;
		return seg->first + pe * seg->stride +
		       ((const char *)addr - seg->base);
	}
	return NULL;
}

/* What is wrong, so that shmemd_find found nothing or p is not aligned. */
SHMEMD_FN const char *shmemd_reach_fault(const void *p, int pe)
{
	if ((unsigned int)pe >= (unsigned int)shmemd_block.n_pes)
		return "pe: expected a PE of the program";
	if (!p)
		return "address: expected a symmetric object";
	return "address: expected to be aligned to its type";
}

/* As shmemd_reach_slow, for those that are called themselves. */
SHMEMD_FN void *shmemd_reach_look(const char *api, const void *addr,
				  size_t bytes, size_t align, int pe)
{
	const int far = shmemd_pe_far(pe);
	void *p = shmemd_find(addr, bytes, far ? shmemd_block.me : pe);

	if (SHMEMD_UNLIKELY(!p || (uintptr_t)p & (align - 1)))
		shmemd_misuse_inline(api, shmemd_reach_fault(p, pe),
				     (uint64_t)(uintptr_t)addr, pe);
	return far ? NULL : p;
}

/*
 * What is not a plain address of the heap of kernels, or must be checked. NULL
 * for a far PE.
 */
SHMEMD_SLOW void *shmemd_reach_slow(const char *api, const void *addr,
				    size_t bytes, size_t align, int pe)
{
	return shmemd_reach_look(api, addr, bytes, align, pe);
}

/* Whether op on a near PE's copy of the word is an atomic for the proxy. */
SHMEMD_FN int shmemd_amo_by_host(enum shmemd_amo op, const void *target)
{
	const struct shmemd_segment *seg = shmemd_block.other;
	int i;

	if (!shmemd_block.host_atomics || op == SHMEMD_FETCH ||
	    op == SHMEMD_SET)
		return 0;
	for (i = 0; i < SHMEMD_NSEGMENTS; i++, seg++)
		if (shmemd_in(seg->base, seg->bytes, target, 1))
			return 1;
	return 0;
}

/* The same of an atomic on `bytes`; NULL also for what the proxy makes. */
SHMEMD_SLOW void *shmemd_reach_amo_slow(const char *api, enum shmemd_amo op,
					const void *target, unsigned int bytes,
					int pe)
{
	void *p = shmemd_reach_look(api, target, bytes, bytes, pe);

	return shmemd_amo_by_host(op, target) ? NULL : p;
}

/*
 * That bytes at addr are symmetric and aligned. Inlined, for what is called
 * itself: with no call in it, kernels need no stack.
 */
SHMEMD_FN void shmemd_reach_check(const char *api, const void *addr,
				  size_t bytes, size_t align)
{
	const int me = shmemd_block.me;
	const void *p = shmemd_find(addr, bytes, me);

	if (SHMEMD_UNLIKELY(!p || (uintptr_t)p & (align - 1)))
		shmemd_misuse_inline(api, shmemd_reach_fault(p, me),
				     (uint64_t)(uintptr_t)addr, me);
}

/* For spans to be checked: what no memory holds stays too much. */
SHMEMD_FN size_t shmemd_span_bytes(size_t n, size_t each)
{
	return n > SIZE_MAX / each ? SIZE_MAX : n * each;
}

/*
 * bytes: what is accessed there; align: of the type, a power of two. Both are
 * looked at with checks on.
 */
SHMEMD_FN void *shmemd_reach_span(const char *api, const void *addr,
				  size_t bytes, size_t align, int pe)
{
	const size_t off = (uintptr_t)addr - (uintptr_t)shmemd_block.heap;

	if (SHMEMD_LIKELY(off < shmemd_block.fast_bytes &&
			  (unsigned int)pe < shmemd_block.n_near))
		return (char *)addr + shmemd_block.delta[pe];
	return shmemd_reach_slow(api, addr, bytes, align, pe);
}

/* Whether pe is far; else *to is where loads and stores reach its copy. */
SHMEMD_FN int shmemd_reach_far(const char *api, const void *addr, size_t bytes,
			       size_t align, int pe, void **to)
{
	const size_t off = (uintptr_t)addr - (uintptr_t)shmemd_block.heap;

	if (SHMEMD_LIKELY(off < shmemd_block.fast_bytes &&
			  (unsigned int)pe < shmemd_block.n_near)) {
		*to = (char *)addr + shmemd_block.delta[pe];
		return 0;
	}
	*to = shmemd_reach_slow(api, addr, bytes, align, pe);
	return *to == NULL;
}

/* Whether op is one for far_dev_amo; else *to is where atomics reach it. */
SHMEMD_FN int shmemd_reach_amo(const char *api, enum shmemd_amo op,
			       const void *target, unsigned int bytes, int pe,
			       void **to)
{
	const size_t off = (uintptr_t)target - (uintptr_t)shmemd_block.heap;

	if (SHMEMD_LIKELY(off < shmemd_block.amo_bytes &&
			  (unsigned int)pe < shmemd_block.n_near)) {
		*to = (char *)target + shmemd_block.delta[pe];
		return 0;
	}
	*to = shmemd_reach_amo_slow(api, op, target, bytes, pe);
	return *to == NULL;
}

SHMEMD_FN void *shmemd_reach(const char *api, const void *addr, int pe)
{
	return shmemd_reach_span(api, addr, 1, 1, pe);
}

/* World PE of a team's member i, 0 <= i < n_pes. */
SHMEMD_FN int shmemd_team_pe(const struct shmemd_team *team, int i)
{
	return team->map ? team->map[i] : team->start + i * team->stride;
}

/* The team of a handle, NULL if kernels know none. */
SHMEMD_FN const struct shmemd_team *shmemd_team_find(shmem_team_t handle)
{
	const uintptr_t h = (uintptr_t)handle;
	const struct shmemd_team *team;

	if (handle == SHMEM_TEAM_WORLD)
		return &shmemd_block.world;
	if (handle == SHMEM_TEAM_SHARED)
		return &shmemd_block.shared;
	if (h == 0 || h >= SHMEMD_TEAMS || !shmemd_block.teams)
		return NULL;
	team = &shmemd_block.teams[h];
	return team->n_pes ? team : NULL;
}

/* The team of a handle; any other handle is a misuse. */
SHMEMD_FN const struct shmemd_team *shmemd_team(const char *api,
						shmem_team_t handle)
{
	const struct shmemd_team *team = shmemd_team_find(handle);

	if (SHMEMD_UNLIKELY(!team))
		shmemd_misuse(api, "team: expected a team that kernels know",
			      (uint64_t)(uintptr_t)handle, -1);
	return team;
}

/* shmem_ptr: NULL where loads and stores don't reach. */
SHMEMD_FN void *shmemd_ptr(const void *dest, int pe)
{
	return shmemd_find(dest, 1, pe);
}

/* shmem_addr_accessible: whether calls reach it. */
SHMEMD_FN int shmemd_addr_accessible(const void *addr, int pe)
{
	return shmemd_find(addr, 1, shmemd_pe_far(pe) ? shmemd_block.me : pe) !=
	       NULL;
}

SHMEMD_FN void *shmemd_team_ptr(shmem_team_t handle, const void *dest, int pe)
{
	const struct shmemd_team *team = shmemd_team_find(handle);

	if (!team || (unsigned int)pe >= (unsigned int)team->n_pes)
		return NULL;
	return shmemd_find(dest, 1, shmemd_team_pe(team, pe));
}

/*
 * A word of a context's entry. The host's don't change while kernels know
 * their handles; those that kernels make must not come from a cache.
 */
SHMEMD_FN uint32_t shmemd_ctx_word(shmem_ctx_t handle, const uint32_t *word)
{
	return (uintptr_t)handle < SHMEMD_CTXS ? *word : shmemd_load32(word);
}

/* The context of a handle, NULL if there is none; not SHMEM_CTX_DEFAULT. */
SHMEMD_FN struct shmemd_ctx *shmemd_ctx_find(shmem_ctx_t handle)
{
	const uintptr_t h = (uintptr_t)handle;
	struct shmemd_ctx *ctx;

	if (h == 0 || h >= SHMEMD_ALL_CTXS || !shmemd_block.ctxs)
		return NULL;
	ctx = &shmemd_block.ctxs[h];
	return shmemd_ctx_word(handle, &ctx->live) ? ctx : NULL;
}

SHMEMD_FN shmem_team_t shmemd_ctx_team(shmem_ctx_t handle,
				       const struct shmemd_ctx *ctx)
{
	return (shmem_team_t)(uintptr_t)shmemd_ctx_word(handle, &ctx->team);
}

SHMEMD_SLOW int shmemd_ctx_pe_slow(const char *api, shmem_ctx_t handle, int pe)
{
	const struct shmemd_ctx *ctx = shmemd_ctx_find(handle);
	const struct shmemd_team *team;

	if (!ctx) {
		shmemd_misuse(api, "ctx: expected a context, not destroyed",
			      (uint64_t)(uintptr_t)handle, pe);
		return pe;
	}
	team = shmemd_team(api, shmemd_ctx_team(handle, ctx));
	if (team && (unsigned int)pe < (unsigned int)team->n_pes)
		return shmemd_team_pe(team, pe);
	shmemd_misuse(api, "pe: expected a PE of the context's team",
		      (uint64_t)(int64_t)pe, pe);
	return pe;
}

/* World PE of a context's PE. */
SHMEMD_FN int shmemd_ctx_pe(const char *api, shmem_ctx_t handle, int pe)
{
	const struct shmemd_ctx *ctx;

	if (handle == SHMEM_CTX_DEFAULT)
		return pe;
	ctx = shmemd_ctx_find(handle);
	if (SHMEMD_LIKELY(ctx &&
			  shmemd_ctx_team(handle, ctx) == SHMEM_TEAM_WORLD))
		return pe;
	return shmemd_ctx_pe_slow(api, handle, pe);
}

#endif
