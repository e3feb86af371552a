/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The primitives of arch.h as clang's pass for the host of a HIP source sees
 * them: names and types. Device code is checked in it but never made.
 */
#ifndef SHMEM_DEVICE_ARCH_HIPHOST_H
#define SHMEM_DEVICE_ARCH_HIPHOST_H

#define SHMEMD_FN static inline __attribute__((device, always_inline, unused))
#define SHMEMD_SLOW static __attribute__((device, noinline, unused))
#define SHMEMD_CONST __attribute__((constant))
#define SHMEMD_LIKELY(x) __builtin_expect(!!(x), 1)
#define SHMEMD_UNLIKELY(x) __builtin_expect(!!(x), 0)

#define SHMEMD_RELEASE_BEFORE_BARRIER 1
#define SHMEMD_GATHER128X4 1

/* Declared, not static: what is never made needs no definition. */
extern "C" {
#define SHMEMD_HOST __attribute__((device))
SHMEMD_HOST unsigned int shmemd_item(void);
SHMEMD_HOST unsigned int shmemd_nitems(void);
SHMEMD_HOST unsigned int shmemd_wg(void);
SHMEMD_HOST unsigned int shmemd_nwgs(void);
SHMEMD_HOST unsigned int shmemd_lane(void);
SHMEMD_HOST unsigned int shmemd_wave_size(void);
SHMEMD_HOST unsigned int shmemd_wave_items(void);
SHMEMD_HOST void shmemd_wave_barrier(void);
SHMEMD_HOST void shmemd_wg_barrier(void);
SHMEMD_HOST uint64_t shmemd_wave_bcast(uint64_t v);
SHMEMD_HOST uint64_t shmemd_wave_same(uint64_t v);
SHMEMD_HOST uint64_t shmemd_wave_get(uint64_t v, unsigned int lane);
SHMEMD_HOST uint64_t shmemd_wg_bcast(uint64_t v);
SHMEMD_HOST uint64_t shmemd_wg_sum(uint64_t v);
SHMEMD_HOST float shmemd_wave_max(float v, unsigned int width);
SHMEMD_HOST float shmemd_wave_sum(float v, unsigned int width);
SHMEMD_HOST float shmemd_wg_sum_waves(float v);
SHMEMD_HOST struct shmemd_gang shmemd_gang(void);
SHMEMD_HOST struct shmemd_gang shmemd_gang_one(void);
SHMEMD_HOST uint64_t shmemd_gang_bcast(const struct shmemd_gang *gang,
				       uint64_t v);
SHMEMD_HOST int shmemd_gang_any(const struct shmemd_gang *gang, int v);
SHMEMD_HOST void shmemd_gang_sync(const struct shmemd_gang *gang);
SHMEMD_HOST struct shmemd_gang shmemd_gang_part(const struct shmemd_gang *gang,
						uint64_t key,
						unsigned int limit);
SHMEMD_HOST int shmemd_lane_leads(uint64_t v);
SHMEMD_HOST int shmemd_is_global(const void *p);
SHMEMD_HOST uint8_t shmemd_load8(const void *p);
SHMEMD_HOST uint16_t shmemd_load16(const void *p);
SHMEMD_HOST uint32_t shmemd_load32(const void *p);
SHMEMD_HOST uint64_t shmemd_load64(const void *p);
SHMEMD_HOST void shmemd_store8(void *p, uint8_t v);
SHMEMD_HOST void shmemd_store16(void *p, uint16_t v);
SHMEMD_HOST void shmemd_store32(void *p, uint32_t v);
SHMEMD_HOST void shmemd_store64(void *p, uint64_t v);
SHMEMD_HOST struct shmemd_vec shmemd_load128(const void *p);
SHMEMD_HOST void shmemd_gather128x4(struct shmemd_vec v[4],
				    const void *const p[4]);
SHMEMD_HOST void shmemd_load128x4(struct shmemd_vec v[4], const void *p,
				  size_t stride);
SHMEMD_HOST void shmemd_store128(void *p, struct shmemd_vec v);
SHMEMD_HOST struct shmemd_vec shmemd_stream128(const void *p);
SHMEMD_HOST uint32_t shmemd_amo32(enum shmemd_amo op, void *p, uint32_t v,
				  uint32_t c);
SHMEMD_HOST uint64_t shmemd_amo64(enum shmemd_amo op, void *p, uint64_t v,
				  uint64_t c);
SHMEMD_HOST void shmemd_red32(enum shmemd_amo op, void *p, uint32_t v,
			      uint32_t c);
SHMEMD_HOST void shmemd_red64(enum shmemd_amo op, void *p, uint64_t v,
			      uint64_t c);
SHMEMD_HOST int shmemd_ctz(uint32_t v);
SHMEMD_HOST void shmemd_max64(uint64_t *p, uint64_t v);
SHMEMD_HOST uint64_t shmemd_local_load64(const uint64_t *p);
SHMEMD_HOST void shmemd_local_store64(uint64_t *p, uint64_t v);
SHMEMD_HOST void shmemd_fence_release(void);
SHMEMD_HOST void shmemd_fence_release_near(void);
SHMEMD_HOST void shmemd_fence_acquire(void);
SHMEMD_HOST void shmemd_fence_full(void);
SHMEMD_HOST void shmemd_wait_stores(void);
SHMEMD_HOST void shmemd_pause(struct shmemd_pause *pause);
#define SHMEMD_CLOCK_NS 1
SHMEMD_HOST uint64_t shmemd_clock(void);
SHMEMD_HOST void shmemd_end(void);
SHMEMD_HOST int shmemd_in_kernel(void);
#undef SHMEMD_HOST
}

#endif
