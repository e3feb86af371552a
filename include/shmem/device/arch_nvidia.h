/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The primitives of arch.h on NVIDIA's GPUs: PTX, for compute capability 7.0
 * and newer, by nvcc 12 and 13. Addresses are generic; atomics need global
 * memory.
 */
#ifndef SHMEM_DEVICE_ARCH_NVIDIA_H
#define SHMEM_DEVICE_ARCH_NVIDIA_H

#define SHMEMD_FN static __device__ __forceinline__
#define SHMEMD_SLOW static __device__ __noinline__
#define SHMEMD_CONST __constant__
#define SHMEMD_LIKELY(x) __builtin_expect(!!(x), 1)
#define SHMEMD_UNLIKELY(x) __builtin_expect(!!(x), 0)

#define SHMEMD_RELEASE_BEFORE_BARRIER 0

SHMEMD_FN unsigned int shmemd_nitems(void)
{
	return blockDim.x * blockDim.y * blockDim.z;
}

SHMEMD_FN unsigned int shmemd_item(void)
{
	return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
	       threadIdx.x;
}

SHMEMD_FN unsigned int shmemd_nwgs(void)
{
	return gridDim.x * gridDim.y * gridDim.z;
}

SHMEMD_FN unsigned int shmemd_wg(void)
{
	return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

SHMEMD_FN unsigned int shmemd_wave_size(void)
{
	return 32;
}

SHMEMD_FN unsigned int shmemd_lane(void)
{
	return shmemd_item() % 32;
}

SHMEMD_FN unsigned int shmemd_wave_items(void)
{
	const unsigned int rest = shmemd_nitems() - shmemd_item() / 32 * 32;

	return rest < 32 ? rest : 32;
}

/* The lanes that exist. */
SHMEMD_FN unsigned int shmemd_wave_mask(void)
{
	return 0xffffffffu >> (32 - shmemd_wave_items());
}

SHMEMD_FN void shmemd_wave_barrier(void)
{
	__syncwarp(shmemd_wave_mask());
}

SHMEMD_FN void shmemd_wg_barrier(void)
{
	__syncthreads();
}

SHMEMD_FN uint64_t shmemd_wave_bcast(uint64_t v)
{
	const unsigned int mask = shmemd_wave_mask();

	__syncwarp(mask);
	return __shfl_sync(mask, (unsigned long long)v, 0);
}

SHMEMD_FN uint64_t shmemd_wave_same(uint64_t v)
{
	return v;
}

SHMEMD_FN uint64_t shmemd_wave_get(uint64_t v, unsigned int lane)
{
	return __shfl_sync(shmemd_wave_mask(), (unsigned long long)v,
			   (int)lane);
}

SHMEMD_FN uint64_t shmemd_wg_bcast(uint64_t v)
{
	__shared__ uint64_t word;

	__syncthreads();
	if (shmemd_item() == 0)
		word = v;
	__syncthreads();
	return word;
}

SHMEMD_FN uint64_t shmemd_wg_sum(uint64_t v)
{
	__shared__ unsigned long long sum;

	__syncthreads();
	if (shmemd_item() == 0)
		sum = 0;
	__syncthreads();
	atomicAdd_block(&sum, (unsigned long long)v);
	__syncthreads();
	return sum;
}

SHMEMD_FN float shmemd_wave_max(float v, unsigned int width)
{
	const unsigned int mask = shmemd_wave_mask();
	unsigned int step;

	SHMEMD_UNROLL
	for (step = 1; step < 32; step *= 2)
		if (step < width)
			v = fmaxf(v, __shfl_xor_sync(mask, v, (int)step));
	return v;
}

SHMEMD_FN float shmemd_wave_sum(float v, unsigned int width)
{
	const unsigned int mask = shmemd_wave_mask();
	unsigned int step;

	SHMEMD_UNROLL
	for (step = 1; step < 32; step *= 2)
		if (step < width)
			v = __fadd_rn(v, __shfl_xor_sync(mask, v, (int)step));
	return v;
}

SHMEMD_FN float shmemd_wg_sum_waves(float v)
{
	const unsigned int n = (shmemd_nitems() + 31) / 32;
	__shared__ float of[32];
	float sum;

	__syncthreads();
	if (!shmemd_lane())
		of[shmemd_item() / 32] = v;
	__syncthreads();
	sum = of[0];
	for (unsigned int wave = 1; wave < n; wave++)
		sum = __fadd_rn(sum, of[wave]);
	return sum;
}

/* How many of the lanes come before mine. */
SHMEMD_FN unsigned int shmemd_lanes_before(unsigned int lanes)
{
	unsigned int before;

	asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
	return (unsigned int)__popc(lanes & before);
}

SHMEMD_FN int shmemd_lane_leads(uint64_t v)
{
	const unsigned int lanes = __activemask();

	return __shfl_sync(lanes, (unsigned long long)v,
			   __ffs((int)lanes) - 1) != v ||
	       shmemd_lanes_before(lanes) == 0;
}

SHMEMD_FN struct shmemd_gang shmemd_gang(void)
{
	const unsigned int lanes = __activemask();
	struct shmemd_gang gang;

	gang.index = shmemd_lanes_before(lanes);
	gang.size = (unsigned int)__popc(lanes);
	gang.lanes = lanes;
	return gang;
}

SHMEMD_FN struct shmemd_gang shmemd_gang_one(void)
{
	struct shmemd_gang gang;
	unsigned int me;

	asm("mov.u32 %0, %%lanemask_eq;" : "=r"(me));
	gang.index = 0;
	gang.size = 1;
	gang.lanes = me;
	return gang;
}

SHMEMD_FN uint64_t shmemd_gang_bcast(const struct shmemd_gang *gang, uint64_t v)
{
	const unsigned int lanes = (unsigned int)gang->lanes;

	return __shfl_sync(lanes, (unsigned long long)v, __ffs((int)lanes) - 1);
}

SHMEMD_FN int shmemd_gang_any(const struct shmemd_gang *gang, int v)
{
	return __any_sync((unsigned int)gang->lanes, v);
}

SHMEMD_FN void shmemd_gang_sync(const struct shmemd_gang *gang)
{
	__syncwarp((unsigned int)gang->lanes);
}

SHMEMD_FN struct shmemd_gang shmemd_gang_part(const struct shmemd_gang *gang,
					      uint64_t key, unsigned int limit)
{
	const unsigned int lanes = (unsigned int)gang->lanes;
	const unsigned int left = __ballot_sync(lanes, key != 0);
	struct shmemd_gang part = { SHMEMD_GANG_OUT, 0, 0 };
	unsigned int before;
	uint64_t first;

	if (!left)
		return part;
	first = __shfl_sync(lanes, (unsigned long long)key,
			    __ffs((int)left) - 1);
	before = shmemd_lanes_before(__ballot_sync(lanes, key == first));
	part.lanes = __ballot_sync(lanes, key == first && before < limit);
	part.size = (unsigned int)__popc((unsigned int)part.lanes);
	if (key == first && before < limit)
		part.index = before;
	return part;
}

/* nvcc's own function for it breaks where p's type is known after inlining. */
SHMEMD_FN int shmemd_is_global(const void *p)
{
	unsigned int is;

	asm("{\n\t"
	    ".reg .pred q;\n\t"
	    "isspacep.global q, %1;\n\t"
	    "selp.u32 %0, 1, 0, q;\n\t"
	    "}"
	    : "=r"(is)
	    : "l"(p));
	return (int)is;
}

/* 8 bits have no register of their own: reg holds them. */
#define SHMEMD_LOAD_STORE(bits, reg, type) \
	SHMEMD_FN uint##bits##_t shmemd_load##bits(const void *p) \
	{ \
		type v; \
\
		asm volatile("ld.relaxed.sys.u" #bits " %0, [%1];" \
			     : "=" reg(v) \
			     : "l"(p) \
			     : "memory"); \
		return (uint##bits##_t)v; \
	} \
	SHMEMD_FN void shmemd_store##bits(void *p, uint##bits##_t v) \
	{ \
		asm volatile("st.relaxed.sys.u" #bits " [%0], %1;" \
			     : \
			     : "l"(p), reg((type)v) \
			     : "memory"); \
	}
SHMEMD_LOAD_STORE(8, "h", uint16_t)
SHMEMD_LOAD_STORE(16, "h", uint16_t)
SHMEMD_LOAD_STORE(32, "r", uint32_t)
SHMEMD_LOAD_STORE(64, "l", uint64_t)
#undef SHMEMD_LOAD_STORE

SHMEMD_FN struct shmemd_vec shmemd_load128(const void *p)
{
	struct shmemd_vec v;

	asm volatile("ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2];"
		     : "=l"(v.a), "=l"(v.b)
		     : "l"(__cvta_generic_to_global(p))
		     : "memory");
	return v;
}

SHMEMD_FN void shmemd_store128(void *p, struct shmemd_vec v)
{
	asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1, %2};"
		     :
		     : "l"(__cvta_generic_to_global(p)), "l"(v.a), "l"(v.b)
		     : "memory");
}

/* A scalar of 128 bits is seen whole (PTX 8.3), a vector's store is not. */
#if __CUDACC_VER_MAJOR__ > 12 || \
	(__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 3)
#define SHMEMD_STORE_PAIR 1
SHMEMD_FN void shmemd_store_pair(void *p, struct shmemd_vec v, int flag)
{
	(void)flag;
	asm volatile("{\n\t"
		     ".reg .b128 both;\n\t"
		     "mov.b128 both, {%1, %2};\n\t"
		     "st.relaxed.sys.global.b128 [%0], both;\n\t"
		     "}"
		     :
		     : "l"(__cvta_generic_to_global(p)), "l"(v.a), "l"(v.b)
		     : "memory");
}
#endif

SHMEMD_FN struct shmemd_vec shmemd_stream128(const void *p)
{
	const ulonglong2 x = *(const ulonglong2 *)p;
	struct shmemd_vec v;

	v.a = x.x;
	v.b = x.y;
	return v;
}

#define SHMEMD_WORD(name) name##32
#define SHMEMD_WORD_T uint32_t
#define SHMEMD_BITS "32"
#define SHMEMD_REG "r"
#include <shmem/device/arch_nvidia_amo.inc>
#define SHMEMD_WORD(name) name##64
#define SHMEMD_WORD_T uint64_t
#define SHMEMD_BITS "64"
#define SHMEMD_REG "l"
#include <shmem/device/arch_nvidia_amo.inc>

SHMEMD_FN int shmemd_ctz(uint32_t v)
{
	return __ffs((int)v) - 1;
}

SHMEMD_FN void shmemd_max64(uint64_t *p, uint64_t v)
{
	asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;"
		     :
		     : "l"(__cvta_generic_to_global(p)), "l"(v)
		     : "memory");
}

SHMEMD_FN uint64_t shmemd_local_load64(const uint64_t *p)
{
	uint64_t v;

	asm volatile("ld.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
	return v;
}

SHMEMD_FN void shmemd_local_store64(uint64_t *p, uint64_t v)
{
	asm volatile("st.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}

SHMEMD_FN void shmemd_fence_release(void)
{
	asm volatile("fence.acq_rel.sys;" ::: "memory");
}

SHMEMD_FN void shmemd_fence_release_near(void)
{
	asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

/* A one-sided fence is free where the processor and PTX (8.6) have it. */
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 13
#define SHMEMD_FENCE_ACQUIRE "fence.acquire.sys;"
#else
#define SHMEMD_FENCE_ACQUIRE "fence.acq_rel.sys;"
#endif

SHMEMD_FN void shmemd_fence_acquire(void)
{
	asm volatile(SHMEMD_FENCE_ACQUIRE ::: "memory");
}
#undef SHMEMD_FENCE_ACQUIRE

SHMEMD_FN void shmemd_fence_full(void)
{
	asm volatile("fence.sc.sys;" ::: "memory");
}

/* Fences are cumulative: what others stored before a barrier is covered. */
SHMEMD_FN void shmemd_wait_stores(void)
{
}

/* Sleeps only when the answer is far: a sleep is longer than a round trip. */
SHMEMD_FN void shmemd_pause(struct shmemd_pause *pause)
{
	if (++pause->n > 4096)
		asm volatile("nanosleep.u32 100;");
}

#define SHMEMD_CLOCK_NS 1
SHMEMD_FN uint64_t shmemd_clock(void)
{
	uint64_t ns;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
	return ns;
}

SHMEMD_FN void shmemd_end(void)
{
	asm volatile("exit;");
}

SHMEMD_FN int shmemd_in_kernel(void)
{
	return 1;
}

#endif
