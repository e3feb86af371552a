/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The primitives of arch.h on AMD's GPUs: compiler builtins, and assembly for
 * what the compiler has no name for. Nothing of ROCm's headers is needed.
 *
 * All addresses of loadN, storeN, load128, store128 and atomics are global
 * memory: not a kernel's own variables, not LDS. stream128 takes any.
 *
 * Compilers leave out waits that they believe idle: after a write-back of the
 * L2, and for stores that assembly made. Every release here waits itself.
 */
#ifndef SHMEM_DEVICE_ARCH_AMDGPU_H
#define SHMEM_DEVICE_ARCH_AMDGPU_H

#define SHMEMD_FN static inline __attribute__((device, always_inline, unused))
#define SHMEMD_SLOW static __attribute__((device, noinline, unused))
#define SHMEMD_CONST __attribute__((constant))
#define SHMEMD_LIKELY(x) __builtin_expect(!!(x), 1)
#define SHMEMD_UNLIKELY(x) __builtin_expect(!!(x), 0)

#define SHMEMD_RELEASE_BEFORE_BARRIER 1

/* System scope by generation: how bits are named, which counters there are. */
#if defined(__GFX12__)
#define SHMEMD_ASM_LOAD "global_load_b128 "
#define SHMEMD_ASM_STORE "global_store_b128 "
#define SHMEMD_ASM_LOAD_BITS " scope:SCOPE_SYS"
#define SHMEMD_ASM_STORE_BITS " th:TH_STORE_NT scope:SCOPE_SYS"
#define SHMEMD_ASM_WAIT_LOADS "s_wait_loadcnt 0x0"
#define SHMEMD_ASM_WAIT_STORES "s_wait_storecnt 0x0"
#elif defined(__GFX11__)
#define SHMEMD_ASM_LOAD "global_load_b128 "
#define SHMEMD_ASM_STORE "global_store_b128 "
#define SHMEMD_ASM_LOAD_BITS " glc dlc"
#define SHMEMD_ASM_STORE_BITS " glc slc dlc"
#define SHMEMD_ASM_WAIT_LOADS "s_waitcnt vmcnt(0)"
#define SHMEMD_ASM_WAIT_STORES "s_waitcnt_vscnt null, 0x0"
#elif defined(__GFX10__)
#define SHMEMD_ASM_LOAD "global_load_dwordx4 "
#define SHMEMD_ASM_STORE "global_store_dwordx4 "
#define SHMEMD_ASM_LOAD_BITS " glc dlc"
#define SHMEMD_ASM_STORE_BITS " glc slc"
#define SHMEMD_ASM_WAIT_LOADS "s_waitcnt vmcnt(0)"
#define SHMEMD_ASM_WAIT_STORES "s_waitcnt_vscnt null, 0x0"
#elif defined(__gfx942__) || defined(__gfx950__) || defined(__gfx9_4_generic__)
#define SHMEMD_ASM_LOAD "global_load_dwordx4 "
#define SHMEMD_ASM_STORE "global_store_dwordx4 "
#define SHMEMD_ASM_LOAD_BITS " sc0 sc1"
#define SHMEMD_ASM_STORE_BITS " sc0 sc1 nt"
#define SHMEMD_ASM_WAIT_LOADS "s_waitcnt vmcnt(0)"
#define SHMEMD_ASM_WAIT_STORES "s_waitcnt vmcnt(0)"
#elif defined(__GFX9__)
#define SHMEMD_ASM_LOAD "global_load_dwordx4 "
#define SHMEMD_ASM_STORE "global_store_dwordx4 "
#define SHMEMD_ASM_LOAD_BITS " glc"
#define SHMEMD_ASM_STORE_BITS " glc slc"
#define SHMEMD_ASM_WAIT_LOADS "s_waitcnt vmcnt(0)"
#define SHMEMD_ASM_WAIT_STORES "s_waitcnt vmcnt(0)"
#else
#error "Sirocco knows gfx9 to gfx12"
#endif

#define SHMEMD_GLOBAL __attribute__((address_space(1)))
typedef uint32_t shmemd_u32x4 __attribute__((ext_vector_type(4)));

SHMEMD_FN unsigned int shmemd_nitems(void)
{
	return __builtin_amdgcn_workgroup_size_x() *
	       __builtin_amdgcn_workgroup_size_y() *
	       __builtin_amdgcn_workgroup_size_z();
}

SHMEMD_FN unsigned int shmemd_item(void)
{
	const unsigned int yz = __builtin_amdgcn_workitem_id_z() *
					__builtin_amdgcn_workgroup_size_y() +
				__builtin_amdgcn_workitem_id_y();

	return yz * __builtin_amdgcn_workgroup_size_x() +
	       __builtin_amdgcn_workitem_id_x();
}

/* Grids are given in work-items, whole work-groups of them. */
SHMEMD_FN unsigned int shmemd_nwgs_x(void)
{
	return __builtin_amdgcn_grid_size_x() /
	       __builtin_amdgcn_workgroup_size_x();
}

SHMEMD_FN unsigned int shmemd_nwgs_y(void)
{
	return __builtin_amdgcn_grid_size_y() /
	       __builtin_amdgcn_workgroup_size_y();
}

SHMEMD_FN unsigned int shmemd_nwgs(void)
{
	return shmemd_nwgs_x() * shmemd_nwgs_y() *
	       (__builtin_amdgcn_grid_size_z() /
		__builtin_amdgcn_workgroup_size_z());
}

SHMEMD_FN unsigned int shmemd_wg(void)
{
	const unsigned int yz =
		__builtin_amdgcn_workgroup_id_z() * shmemd_nwgs_y() +
		__builtin_amdgcn_workgroup_id_y();

	return yz * shmemd_nwgs_x() + __builtin_amdgcn_workgroup_id_x();
}

SHMEMD_FN unsigned int shmemd_lane(void)
{
	return __builtin_amdgcn_mbcnt_hi(~0u,
					 __builtin_amdgcn_mbcnt_lo(~0u, 0));
}

SHMEMD_FN unsigned int shmemd_wave_size(void)
{
	return __builtin_amdgcn_wavefrontsize();
}

SHMEMD_FN unsigned int shmemd_wave_items(void)
{
	const unsigned int first = shmemd_item() - shmemd_lane();
	const unsigned int rest = shmemd_nitems() - first;

	return rest < shmemd_wave_size() ? rest : shmemd_wave_size();
}

SHMEMD_FN void shmemd_wave_barrier(void)
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
	__builtin_amdgcn_wave_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

SHMEMD_FN void shmemd_wg_barrier(void)
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

SHMEMD_FN uint64_t shmemd_wave_same(uint64_t v)
{
	const uint32_t low = (uint32_t)__builtin_amdgcn_readfirstlane((int)v);
	const uint32_t high =
		(uint32_t)__builtin_amdgcn_readfirstlane((int)(v >> 32));

	return (uint64_t)high << 32 | low;
}

SHMEMD_FN uint64_t shmemd_wave_bcast(uint64_t v)
{
	v = shmemd_wave_same(v);
	shmemd_wave_barrier();
	return v;
}

SHMEMD_FN uint64_t shmemd_wave_get(uint64_t v, unsigned int lane)
{
	const int at = (int)(lane * 4);
	const uint32_t low = (uint32_t)__builtin_amdgcn_ds_bpermute(at, (int)v);
	const uint32_t high =
		(uint32_t)__builtin_amdgcn_ds_bpermute(at, (int)(v >> 32));

	return (uint64_t)high << 32 | low;
}

SHMEMD_FN uint64_t shmemd_wg_bcast(uint64_t v)
{
	static __attribute__((shared)) uint64_t word;

	shmemd_wg_barrier();
	if (shmemd_item() == 0)
		word = v;
	shmemd_wg_barrier();
	return word;
}

SHMEMD_FN uint64_t shmemd_wg_sum(uint64_t v)
{
	static __attribute__((shared)) uint64_t sum;

	shmemd_wg_barrier();
	if (shmemd_item() == 0)
		sum = 0;
	shmemd_wg_barrier();
	__hip_atomic_fetch_add(&sum, v, __ATOMIC_RELAXED,
			       __HIP_MEMORY_SCOPE_WORKGROUP);
	shmemd_wg_barrier();
	return sum;
}

/* Lanes move within rows of 16: to the lane whose number has a bit flipped. */
#define SHMEMD_DPP(v, control) \
	__builtin_bit_cast( \
		float, __builtin_amdgcn_mov_dpp(__builtin_bit_cast(int, v), \
						control, 0xf, 0xf, true))

/*
 * The v of the lane that differs in the bit `step`, or of one that has the same
 * value: smaller steps were made, all lanes of such a group are equal.
 */
SHMEMD_FN float shmemd_wave_other(float v, unsigned int step)
{
	if (step == 1)
		return SHMEMD_DPP(v, 0xb1); /* quad_perm:[1,0,3,2] */
	if (step == 2)
		return SHMEMD_DPP(v, 0x4e); /* quad_perm:[2,3,0,1] */
	if (step == 4)
		return SHMEMD_DPP(v, 0x141); /* row_half_mirror */
	if (step == 8)
		return SHMEMD_DPP(v, 0x140); /* row_mirror */
	return __builtin_bit_cast(
		float,
		__builtin_amdgcn_ds_bpermute((int)((shmemd_lane() ^ step) * 4),
					     __builtin_bit_cast(int, v)));
}
#undef SHMEMD_DPP

SHMEMD_FN float shmemd_wave_max(float v, unsigned int width)
{
	unsigned int step;

	SHMEMD_UNROLL
	for (step = 1; step < 64; step *= 2)
		if (step < width)
			v = __builtin_fmaxf(v, shmemd_wave_other(v, step));
	return v;
}

SHMEMD_FN float shmemd_wave_sum(float v, unsigned int width)
{
	unsigned int step;

	SHMEMD_UNROLL
	for (step = 1; step < 64; step *= 2)
		if (step < width)
			v += shmemd_wave_other(v, step);
	return v;
}

SHMEMD_FN float shmemd_wg_sum_waves(float v)
{
	const unsigned int size = shmemd_wave_size();
	const unsigned int n = (shmemd_nitems() + size - 1) / size;
	static __attribute__((shared)) float of[32];
	float sum;

	shmemd_wg_barrier();
	if (!shmemd_lane())
		of[shmemd_item() / size] = v;
	shmemd_wg_barrier();
	sum = of[0];
	for (unsigned int wave = 1; wave < n; wave++)
		sum += of[wave];
	return sum;
}

/* How many of the lanes come before mine. */
SHMEMD_FN unsigned int shmemd_lanes_before(uint64_t lanes)
{
	return __builtin_amdgcn_mbcnt_hi(
		(unsigned int)(lanes >> 32),
		__builtin_amdgcn_mbcnt_lo((unsigned int)lanes, 0));
}

SHMEMD_FN int shmemd_lane_leads(uint64_t v)
{
	return shmemd_wave_same(v) != v ||
	       shmemd_lanes_before(__builtin_amdgcn_read_exec()) == 0;
}

SHMEMD_FN struct shmemd_gang shmemd_gang(void)
{
	struct shmemd_gang gang;

	gang.lanes = __builtin_amdgcn_read_exec();
	gang.size = (unsigned int)__builtin_popcountll(gang.lanes);
	gang.index = shmemd_lanes_before(gang.lanes);
	return gang;
}

SHMEMD_FN struct shmemd_gang shmemd_gang_one(void)
{
	const struct shmemd_gang gang = { 0, 1, 0 };

	return gang;
}

/* Those who are together here are the lanes that are on. */
SHMEMD_FN uint64_t shmemd_gang_bcast(const struct shmemd_gang *gang, uint64_t v)
{
	const uint32_t low = (uint32_t)__builtin_amdgcn_readfirstlane((int)v);
	const uint32_t high =
		(uint32_t)__builtin_amdgcn_readfirstlane((int)(v >> 32));

	(void)gang;
	return (uint64_t)high << 32 | low;
}

SHMEMD_FN int shmemd_gang_any(const struct shmemd_gang *gang, int v)
{
	(void)gang;
	return __builtin_amdgcn_ballot_w64(v != 0) != 0;
}

SHMEMD_FN uint64_t shmemd_lane_get(uint64_t v, unsigned int lane)
{
	const uint32_t low =
		(uint32_t)__builtin_amdgcn_readlane((int)v, (int)lane);
	const uint32_t high =
		(uint32_t)__builtin_amdgcn_readlane((int)(v >> 32), (int)lane);

	return (uint64_t)high << 32 | low;
}

SHMEMD_FN struct shmemd_gang shmemd_gang_part(const struct shmemd_gang *gang,
					      uint64_t key, unsigned int limit)
{
	const uint64_t left = __builtin_amdgcn_ballot_w64(key != 0);
	struct shmemd_gang part = { SHMEMD_GANG_OUT, 0, 0 };
	uint64_t first, same;
	unsigned int before;

	(void)gang;
	if (!left)
		return part;
	first = shmemd_lane_get(key, (unsigned int)__builtin_ctzll(left));
	same = __builtin_amdgcn_ballot_w64(key == first);
	before = shmemd_lanes_before(same);
	part.lanes =
		__builtin_amdgcn_ballot_w64(key == first && before < limit);
	part.size = (unsigned int)__builtin_popcountll(part.lanes);
	if (key == first && before < limit)
		part.index = before;
	return part;
}

/* Lanes of a wave take each step together; this is for the compiler. */
SHMEMD_FN void shmemd_gang_sync(const struct shmemd_gang *gang)
{
	(void)gang;
	__asm__ volatile("" ::: "memory");
}

SHMEMD_FN int shmemd_is_global(const void *p)
{
	return !__builtin_amdgcn_is_shared(
		       (const __attribute__((address_space(0))) void *)p) &&
	       !__builtin_amdgcn_is_private(
		       (const __attribute__((address_space(0))) void *)p);
}

#define SHMEMD_LOAD_STORE(bits) \
	SHMEMD_FN uint##bits##_t shmemd_load##bits(const void *p) \
	{ \
		return __hip_atomic_load( \
			(SHMEMD_GLOBAL const uint##bits##_t *)p, \
			__ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM); \
	} \
	SHMEMD_FN void shmemd_store##bits(void *p, uint##bits##_t v) \
	{ \
		__hip_atomic_store((SHMEMD_GLOBAL uint##bits##_t *)p, v, \
				   __ATOMIC_RELAXED, \
				   __HIP_MEMORY_SCOPE_SYSTEM); \
	}
SHMEMD_LOAD_STORE(8)
SHMEMD_LOAD_STORE(16)
SHMEMD_LOAD_STORE(32)
SHMEMD_LOAD_STORE(64)
#undef SHMEMD_LOAD_STORE

SHMEMD_FN struct shmemd_vec shmemd_vec_of(shmemd_u32x4 x)
{
	struct shmemd_vec v;

	v.a = (uint64_t)x.y << 32 | x.x;
	v.b = (uint64_t)x.w << 32 | x.z;
	return v;
}

/* The compiler does not know of the load: assembly must wait for it too. */
SHMEMD_FN struct shmemd_vec shmemd_load128(const void *p)
{
	shmemd_u32x4 x;

	__asm__ volatile(SHMEMD_ASM_LOAD "%0, %1, off" SHMEMD_ASM_LOAD_BITS
					 "\n\t" SHMEMD_ASM_WAIT_LOADS
			 : "=v"(x)
			 : "v"((SHMEMD_GLOBAL const void *)p)
			 : "memory");
	return shmemd_vec_of(x);
}

#define SHMEMD_GATHER128X4 1
SHMEMD_FN void shmemd_gather128x4(struct shmemd_vec v[4],
				  const void *const p[4])
{
	shmemd_u32x4 x0, x1, x2, x3;

	__asm__ volatile(
		SHMEMD_ASM_LOAD
		"%0, %4, off" SHMEMD_ASM_LOAD_BITS "\n\t" SHMEMD_ASM_LOAD
		"%1, %5, off" SHMEMD_ASM_LOAD_BITS "\n\t" SHMEMD_ASM_LOAD
		"%2, %6, off" SHMEMD_ASM_LOAD_BITS "\n\t" SHMEMD_ASM_LOAD
		"%3, %7, off" SHMEMD_ASM_LOAD_BITS "\n\t" SHMEMD_ASM_WAIT_LOADS
		: "=&v"(x0), "=&v"(x1), "=&v"(x2), "=v"(x3)
		: "v"((SHMEMD_GLOBAL const void *)p[0]),
		  "v"((SHMEMD_GLOBAL const void *)p[1]),
		  "v"((SHMEMD_GLOBAL const void *)p[2]),
		  "v"((SHMEMD_GLOBAL const void *)p[3])
		: "memory");
	v[0] = shmemd_vec_of(x0);
	v[1] = shmemd_vec_of(x1);
	v[2] = shmemd_vec_of(x2);
	v[3] = shmemd_vec_of(x3);
}

SHMEMD_FN void shmemd_load128x4(struct shmemd_vec v[4], const void *p,
				size_t stride)
{
	const char *at = (const char *)p;
	const void *const each[4] = { at, at + stride, at + 2 * stride,
				      at + 3 * stride };

	shmemd_gather128x4(v, each);
}

/* The registers of x may not be written in the cycle after: s_nop. */
SHMEMD_FN void shmemd_store128(void *p, struct shmemd_vec v)
{
	const shmemd_u32x4 x = { (uint32_t)v.a, (uint32_t)(v.a >> 32),
				 (uint32_t)v.b, (uint32_t)(v.b >> 32) };

	__asm__ volatile(SHMEMD_ASM_STORE "%0, %1, off" SHMEMD_ASM_STORE_BITS
					  "\n\ts_nop 0"
			 :
			 : "v"((SHMEMD_GLOBAL void *)p), "v"(x)
			 : "memory");
}

SHMEMD_FN struct shmemd_vec shmemd_stream128(const void *p)
{
	return shmemd_vec_of(
		__builtin_nontemporal_load((const shmemd_u32x4 *)p));
}

/*
 * Of all that changes a word, PCI Express carries additions, swaps and compared
 * ones. The rest does nothing there, whatever the memory at its other end is:
 * the host's or, without xGMI, a peer's. So bits are changed by loops.
 */
#define SHMEMD_SYSTEM __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM
#define SHMEMD_AMO(bits) \
	SHMEMD_FN uint##bits##_t shmemd_amo_bits##bits( \
		enum shmemd_amo op, SHMEMD_GLOBAL uint##bits##_t *p, \
		uint##bits##_t v) \
	{ \
		uint##bits##_t old = __hip_atomic_load(p, SHMEMD_SYSTEM); \
		uint##bits##_t next; \
\
		do { \
			next = op == SHMEMD_AND ? old & v : \
			       op == SHMEMD_OR	? old | v : \
						  old ^ v; \
		} while (!__hip_atomic_compare_exchange_strong( \
			p, &old, next, __ATOMIC_RELAXED, SHMEMD_SYSTEM)); \
		return old; \
	} \
	SHMEMD_FN uint##bits##_t shmemd_amo##bits(enum shmemd_amo op, \
						  void *at, uint##bits##_t v, \
						  uint##bits##_t c) \
	{ \
		SHMEMD_GLOBAL uint##bits##_t *p = \
			(SHMEMD_GLOBAL uint##bits##_t *)at; \
\
		switch (op) { \
		case SHMEMD_FETCH: \
			return __hip_atomic_load(p, SHMEMD_SYSTEM); \
		case SHMEMD_SET: \
		case SHMEMD_SWAP: \
			return __hip_atomic_exchange(p, v, SHMEMD_SYSTEM); \
		case SHMEMD_CSWAP: \
			__hip_atomic_compare_exchange_strong( \
				p, &c, v, __ATOMIC_RELAXED, SHMEMD_SYSTEM); \
			return c; \
		case SHMEMD_ADD: \
			return __hip_atomic_fetch_add(p, v, SHMEMD_SYSTEM); \
		case SHMEMD_AND: \
		case SHMEMD_OR: \
		case SHMEMD_XOR: \
			return shmemd_amo_bits##bits(op, p, v); \
		} \
		__builtin_unreachable(); \
	} \
	SHMEMD_FN void shmemd_red##bits(enum shmemd_amo op, void *p, \
					uint##bits##_t v, uint##bits##_t c) \
	{ \
		if (op == SHMEMD_SET) \
			shmemd_store##bits(p, v); \
		else \
			(void)shmemd_amo##bits(op, p, v, c); \
	}
SHMEMD_AMO(32)
SHMEMD_AMO(64)
#undef SHMEMD_AMO
#undef SHMEMD_SYSTEM

SHMEMD_FN void shmemd_wait_stores(void)
{
	__asm__ volatile(SHMEMD_ASM_WAIT_STORES ::: "memory");
}

SHMEMD_FN void shmemd_fence_release(void)
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
	shmemd_wait_stores();
}

SHMEMD_FN void shmemd_fence_release_near(void)
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
	shmemd_wait_stores();
}

SHMEMD_FN void shmemd_fence_acquire(void)
{
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
}

/* What a sequentially consistent fence is here, with the wait for certain. */
SHMEMD_FN void shmemd_fence_full(void)
{
	shmemd_fence_release();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
}

SHMEMD_FN int shmemd_ctz(uint32_t v)
{
	return __builtin_ctz(v);
}

SHMEMD_FN void shmemd_max64(uint64_t *p, uint64_t v)
{
	(void)__hip_atomic_fetch_max((SHMEMD_GLOBAL uint64_t *)p, v,
				     __ATOMIC_RELAXED,
				     __HIP_MEMORY_SCOPE_AGENT);
}

SHMEMD_FN uint64_t shmemd_local_load64(const uint64_t *p)
{
	return __hip_atomic_load((const SHMEMD_GLOBAL uint64_t *)p,
				 __ATOMIC_RELAXED,
				 __HIP_MEMORY_SCOPE_WORKGROUP);
}

SHMEMD_FN void shmemd_local_store64(uint64_t *p, uint64_t v)
{
	__hip_atomic_store((SHMEMD_GLOBAL uint64_t *)p, v, __ATOMIC_RELAXED,
			   __HIP_MEMORY_SCOPE_WORKGROUP);
}

/* The first polls are for answers that are on their way. */
SHMEMD_FN void shmemd_pause(struct shmemd_pause *pause)
{
	if (++pause->n > 16)
		__builtin_amdgcn_s_sleep(1);
}

#define SHMEMD_CLOCK_NS 10 /* of 100 MHz */
SHMEMD_FN uint64_t shmemd_clock(void)
{
	return __builtin_readsteadycounter();
}

/* A lane can't end alone: its wave does, and no barrier waits for that. */
SHMEMD_FN void shmemd_end(void)
{
	__builtin_amdgcn_endpgm();
}

SHMEMD_FN int shmemd_in_kernel(void)
{
	return 1;
}

#endif
