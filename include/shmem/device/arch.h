/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What kernels need of a processor. arch_amdgpu.h, arch_nvidia.h and arch_cpu.h
 * define the same names, arch_hiphost.h declares them; nothing above them knows
 * which one it is. The file is C11 for the CPU platform and C++ for hipcc,
 * clang and nvcc.
 *
 * Qualifiers
 *   SHMEMD_FN       a function for kernels; on GPUs always inlined
 *   SHMEMD_SLOW     a function for kernels, never inlined
 *   SHMEMD_CONST    storage of the block, filled by the host: constant memory
 *   SHMEMD_LIKELY(x), SHMEMD_UNLIKELY(x)
 *
 * Who am I: a work-item of a wave, in a work-group, in the grid
 *   unsigned shmemd_item(void)        index in the work-group, 0..nitems-1;
 *                                     x fastest of up to three dimensions
 *   unsigned shmemd_nitems(void)      work-items of the work-group
 *   unsigned shmemd_wg(void)          index of the work-group in the grid
 *   unsigned shmemd_nwgs(void)        work-groups of the grid
 *   unsigned shmemd_lane(void)        index in the wave
 *   unsigned shmemd_wave_size(void)   32 or 64, from the hardware
 *   unsigned shmemd_wave_items(void)  work-items that this wave has: the last
 *                                     one of a work-group may have fewer
 *
 * Meeting: called by all work-items of the wave or work-group. What each wrote
 * before is seen by the others after (within this device).
 *   void shmemd_wave_barrier(void)
 *   void shmemd_wg_barrier(void)
 *   uint64_t shmemd_wave_bcast(uint64_t v)  lane 0's value, with a barrier
 *   uint64_t shmemd_wave_same(uint64_t v)   v, which all who call have in
 *                                           common: no meeting, but one
 *                                           register for all on AMD
 *   uint64_t shmemd_wave_get(uint64_t v, unsigned lane)   the v of a lane that
 *                                           the wave has: of each item's choice
 *   uint64_t shmemd_wg_bcast(uint64_t v)    item 0's value, with barriers
 *                                           before and after
 *   uint64_t shmemd_wg_sum(uint64_t v)      of all items; v below 2^32 each;
 *                                           with barriers, as wg_bcast
 *   float shmemd_wave_max(float v, unsigned width)  of the `width` lanes that
 *   float shmemd_wave_sum(float v, unsigned width)  begin at a multiple of it;
 *        width is a power of two up to the wave's size. Called by all
 *        work-items of the wave; lanes of a group that lacks some get any
 *        value. Sums are a tree: neighbours, then pairs, then fours, so that
 *        they have the same bits everywhere. max knows no NaN.
 *   float shmemd_wg_sum_waves(float v)  the v of lane 0 of each wave, added up
 *                                       from the first wave on, for all items;
 *                                       with barriers, as wg_bcast
 *
 * A gang: work-items of a wave that run the same code together, as far as the
 * processor knows. What they do next, until they part, they may share; an item
 * that asks for its gang once more has left this one and its parts.
 *   struct shmemd_gang { index, size, lanes }   index: mine among the gang's
 *   struct shmemd_gang shmemd_gang(void)        those who make this call
 *   struct shmemd_gang shmemd_gang_one(void)    of the caller alone
 *   uint64_t shmemd_gang_bcast(const struct shmemd_gang *, uint64_t v)
 *                                     the value of the item with index 0
 *   int shmemd_gang_any(const struct shmemd_gang *, int v)   if any has v != 0
 *   void shmemd_gang_sync(const struct shmemd_gang *)
 *   struct shmemd_gang shmemd_gang_part(const struct shmemd_gang *,
 *                                       uint64_t key, unsigned limit)
 *        called by all of the gang, again and again: the part whose key is that
 *        of the first item that has a key, of these the first `limit` (of that
 *        part, the same for all with its key). key 0: I had my turn, or have
 *        none. size 0: nobody has. index of those who are not in it:
 *        SHMEMD_GANG_OUT; the others go on as a gang, in a branch of their own,
 *        and all stay in the loop until the size is 0.
 *
 *   int shmemd_lane_leads(uint64_t v)  0: an item before me in the wave runs
 *                                     this with me and has the same v: it can
 *                                     do for both what is done once; a hint
 *
 * Memory at system scope, relaxed: seen by every PE and NIC, in no order.
 * Addresses are aligned to the size. One instruction each.
 *   uintN_t shmemd_loadN(const void *p)         N = 8, 16, 32, 64
 *   void shmemd_storeN(void *p, uintN_t v)      N = 8, 16, 32, 64
 *   struct shmemd_vec shmemd_load128(const void *p)   payload: 16 bytes, no
 *   void shmemd_store128(void *p, struct shmemd_vec)  atomicity beyond 8
 *        store128 bypasses the caches on its way to the peer and does not wait;
 *        load128 reads through to where peers' stores are seen (a payload
 *        behind a flag that was seen).
 *   void shmemd_store_pair(void *p, struct shmemd_vec v, int flag)  v.a and
 *        v.b to 16 aligned bytes; who sees the word of the flag (0: a, 1: b)
 *        and then looks at the other one sees that too. Only where
 *        SHMEMD_STORE_PAIR is 1: a processor that says so of one store
 *   void shmemd_gather128x4(struct shmemd_vec v[4], const void *const p[4])
 *        load128 of four addresses, all in flight at once
 *   void shmemd_load128x4(struct shmemd_vec v[4], const void *p, size_t stride)
 *        load128 of p, p + stride, p + 2 * stride and p + 3 * stride, all in
 *        flight at once (AMD waits for each load128 by itself); a processor
 *        that defines SHMEMD_GATHER128X4 has its own of both
 *   struct shmemd_vec shmemd_stream128(const void *p)  ordinary source data:
 *        16 bytes that are read once, by the fastest load; p may be in any
 *        memory of a kernel, the others' p only in global memory
 *   struct shmemd_vec { uint64_t a, b; }
 *   uint32_t shmemd_amo32(enum shmemd_amo op, void *p, uint32_t v, uint32_t c)
 *   uint64_t shmemd_amo64(enum shmemd_amo op, void *p, uint64_t v, uint64_t c)
 *        system scope, relaxed; the value before; op is a compile-time
 *        constant after inlining. c is the comparand of SHMEMD_CSWAP.
 *   void shmemd_red32(...), shmemd_red64(...)  the same without a result
 *   void shmemd_max64(uint64_t *p, uint64_t v)  makes a word of this device's
 *        memory that only this PE's kernels use v at least
 *   uint64_t shmemd_local_load64(const uint64_t *p)
 *   void shmemd_local_store64(uint64_t *p, uint64_t v)
 *        a word that only this PE's kernels use: ordered by barriers and fences
 *        alone, and as fast as a cache
 *
 *   int shmemd_is_global(const void *p)   whether the host may be told of the
 *        address: not a kernel's own variables, not a work-group's memory
 *
 * Numbers
 *   int shmemd_ctz(uint32_t v)       zero bits below the lowest one bit; v != 0
 *
 * Orderings: only order.h calls these.
 *   void shmemd_fence_release(void)  my earlier stores, then my later stores
 *                                    of flags: a write-back where one is owed,
 *                                    and the wait for it; system scope
 *   void shmemd_fence_release_near(void)  the same for peers on this device
 *   void shmemd_fence_acquire(void)  my earlier load of a flag, then my later
 *                                    loads of payload
 *   void shmemd_fence_full(void)     all earlier accesses, then all later;
 *                                    sequentially consistent; system scope
 *   void shmemd_wait_stores(void)    my earlier bypassing stores have arrived
 *                                    (a wait on AMD; nothing on NVIDIA, where
 *                                    fences are cumulative over barriers)
 *   SHMEMD_RELEASE_BEFORE_BARRIER    1: each wave must release before the
 *                                    work-group's barrier (AMD); 0: the one who
 *                                    stores the flag fences after it (NVIDIA)
 *
 * Waiting
 *   struct shmemd_pause { unsigned n; };  zero it before the first poll
 *   void shmemd_pause(struct shmemd_pause *)  between two polls: gives others
 *                                    the processor
 *   uint64_t shmemd_clock(void)      a clock that only rises
 *   SHMEMD_CLOCK_NS                  nanoseconds of its tick
 *   void shmemd_end(void)            ends this work-item, which has no barriers
 *                                    with others to come that wait for it
 *   int shmemd_in_kernel(void)       1 on GPUs; on the CPU, whether a kernel is
 *                                    running on this thread
 */
#ifndef SHMEM_DEVICE_ARCH_H
#define SHMEM_DEVICE_ARCH_H

#include <stddef.h>
#include <stdint.h>

/* Numbered as the host's enum conduit_amo. */
enum shmemd_amo {
	SHMEMD_FETCH,
	SHMEMD_SET,
	SHMEMD_SWAP,
	SHMEMD_CSWAP,
	SHMEMD_ADD,
	SHMEMD_AND,
	SHMEMD_OR,
	SHMEMD_XOR
};

/* Who takes part in a call; a compile-time constant at every use. */
enum shmemd_scope { SHMEMD_THREAD, SHMEMD_WAVE, SHMEMD_WG, SHMEMD_GRID };

struct shmemd_vec {
	uint64_t a, b;
};

struct shmemd_gang {
	unsigned int index, size;
	uint64_t lanes;
};

#define SHMEMD_GANG_OUT ~0u

struct shmemd_pause {
	unsigned int n;
};

/* Before a loop of constant length that must end up in registers. */
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define SHMEMD_UNROLL _Pragma("unroll")
#else
#define SHMEMD_UNROLL
#endif

/* clang defines __AMDGCN__ in its pass for the host too. */
#if defined(__HIP_DEVICE_COMPILE__)
#include <shmem/device/arch_amdgpu.h>
#elif defined(__CUDACC__)
#include <shmem/device/arch_nvidia.h>
#elif defined(__HIP__)
#include <shmem/device/arch_hiphost.h>
#else
#include <shmem/device/arch_cpu.h>
#endif

#ifndef SHMEMD_STORE_PAIR
#define SHMEMD_STORE_PAIR 0
SHMEMD_FN void shmemd_store_pair(void *p, struct shmemd_vec v, int flag)
{
	(void)p;
	(void)v;
	(void)flag;
}
#endif

#ifndef SHMEMD_GATHER128X4
SHMEMD_FN void shmemd_gather128x4(struct shmemd_vec v[4],
				  const void *const p[4])
{
	v[0] = shmemd_load128(p[0]);
	v[1] = shmemd_load128(p[1]);
	v[2] = shmemd_load128(p[2]);
	v[3] = shmemd_load128(p[3]);
}

SHMEMD_FN void shmemd_load128x4(struct shmemd_vec v[4], const void *p,
				size_t stride)
{
	const char *at = (const char *)p;

	v[0] = shmemd_load128(at);
	v[1] = shmemd_load128(at + stride);
	v[2] = shmemd_load128(at + 2 * stride);
	v[3] = shmemd_load128(at + 3 * stride);
}
#endif

#endif
