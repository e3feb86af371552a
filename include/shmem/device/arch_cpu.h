/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The primitives of arch.h on the CPU, for C11 and C++17. The work-items of a
 * launch are fibers of one thread, which switches between them where they meet,
 * pause, or have loaded often. A loop that polls memory by loads of its own
 * keeps all others from running. Outside of kernels the caller is work-item 0
 * of 1 and meets nobody.
 */
#ifndef SHMEM_DEVICE_ARCH_CPU_H
#define SHMEM_DEVICE_ARCH_CPU_H

#include <string.h>

/* The compiler chooses: all of it inlined takes minutes and gains nothing. */
#define SHMEMD_FN static inline __attribute__((unused))
#define SHMEMD_SLOW static __attribute__((noinline, unused))
#define SHMEMD_CONST
#define SHMEMD_LIKELY(x) __builtin_expect(!!(x), 1)
#define SHMEMD_UNLIKELY(x) __builtin_expect(!!(x), 0)

#define SHMEMD_RELEASE_BEFORE_BARRIER 0

#if defined(__SANITIZE_THREAD__)
#define SHMEMD_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SHMEMD_TSAN 1
#endif
#endif

/*
 * TSan does not follow fences: there, each store of a flag releases and each
 * load acquires.
 */
#ifdef SHMEMD_TSAN
#define SHMEMD_LOAD_ORDER __ATOMIC_ACQUIRE
#define SHMEMD_STORE_ORDER __ATOMIC_RELEASE
#else
#define SHMEMD_LOAD_ORDER __ATOMIC_RELAXED
#define SHMEMD_STORE_ORDER __ATOMIC_RELAXED
#endif

/* A work-item: who it is. */
struct shmemd_work {
	unsigned int item, nitems;
	unsigned int wg, nwgs;
	unsigned int lane, wave_size, wave_items;
	int in_kernel;
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The work-item that runs on this thread; never NULL. A fiber stays on its
 * thread. The model makes it one load; 8 bytes fit a library loaded late too.
 */
extern __thread struct shmemd_work *shmemd_work
	__attribute__((tls_model("initial-exec"), visibility("default")));

/*
 * Loads and atomics until the next switch: work-items that poll by them, and
 * not by a wait, give others their turn too.
 */
extern __thread unsigned int shmemd_cpu_credit
	__attribute__((tls_model("initial-exec"), visibility("default")));

/* What the library does for the functions below, by their names. */
#define SHMEMD_CPU __attribute__((visibility("default")))
SHMEMD_CPU void shmemd_cpu_wave_barrier(void);
SHMEMD_CPU void shmemd_cpu_wg_barrier(void);
SHMEMD_CPU uint64_t shmemd_cpu_wave_bcast(uint64_t v);
SHMEMD_CPU uint64_t shmemd_cpu_wave_get(uint64_t v, unsigned int lane);
SHMEMD_CPU uint64_t shmemd_cpu_wg_bcast(uint64_t v);
SHMEMD_CPU uint64_t shmemd_cpu_wg_sum(uint64_t v);
SHMEMD_CPU float shmemd_cpu_wave_max(float v, unsigned int width);
SHMEMD_CPU float shmemd_cpu_wave_sum(float v, unsigned int width);
SHMEMD_CPU float shmemd_cpu_wg_sum_waves(float v);
SHMEMD_CPU struct shmemd_gang shmemd_cpu_gang(void);
SHMEMD_CPU uint64_t shmemd_cpu_gang_bcast(const struct shmemd_gang *gang,
					  uint64_t v);
SHMEMD_CPU int shmemd_cpu_gang_any(const struct shmemd_gang *gang, int v);
SHMEMD_CPU struct shmemd_gang
shmemd_cpu_gang_part(const struct shmemd_gang *gang, uint64_t key,
		     unsigned int limit);
SHMEMD_CPU void shmemd_cpu_pause(struct shmemd_pause *pause);
SHMEMD_CPU void shmemd_cpu_turn(void);
SHMEMD_CPU uint64_t shmemd_cpu_clock(void);
SHMEMD_CPU void shmemd_cpu_end(void) __attribute__((noreturn));
#undef SHMEMD_CPU

#ifdef __cplusplus
}
#endif

SHMEMD_FN unsigned int shmemd_item(void)
{
	return shmemd_work->item;
}

SHMEMD_FN unsigned int shmemd_nitems(void)
{
	return shmemd_work->nitems;
}

SHMEMD_FN unsigned int shmemd_wg(void)
{
	return shmemd_work->wg;
}

SHMEMD_FN unsigned int shmemd_nwgs(void)
{
	return shmemd_work->nwgs;
}

SHMEMD_FN unsigned int shmemd_lane(void)
{
	return shmemd_work->lane;
}

SHMEMD_FN unsigned int shmemd_wave_size(void)
{
	return shmemd_work->wave_size;
}

SHMEMD_FN unsigned int shmemd_wave_items(void)
{
	return shmemd_work->wave_items;
}

SHMEMD_FN int shmemd_in_kernel(void)
{
	return shmemd_work->in_kernel;
}

SHMEMD_FN void shmemd_wave_barrier(void)
{
	shmemd_cpu_wave_barrier();
}

SHMEMD_FN void shmemd_wg_barrier(void)
{
	shmemd_cpu_wg_barrier();
}

SHMEMD_FN uint64_t shmemd_wave_bcast(uint64_t v)
{
	return shmemd_cpu_wave_bcast(v);
}

SHMEMD_FN uint64_t shmemd_wave_same(uint64_t v)
{
	return v;
}

SHMEMD_FN uint64_t shmemd_wave_get(uint64_t v, unsigned int lane)
{
	return shmemd_cpu_wave_get(v, lane);
}

SHMEMD_FN uint64_t shmemd_wg_bcast(uint64_t v)
{
	return shmemd_cpu_wg_bcast(v);
}

SHMEMD_FN uint64_t shmemd_wg_sum(uint64_t v)
{
	return shmemd_cpu_wg_sum(v);
}

SHMEMD_FN float shmemd_wave_max(float v, unsigned int width)
{
	return shmemd_cpu_wave_max(v, width);
}

SHMEMD_FN float shmemd_wave_sum(float v, unsigned int width)
{
	return shmemd_cpu_wave_sum(v, width);
}

SHMEMD_FN float shmemd_wg_sum_waves(float v)
{
	return shmemd_cpu_wg_sum_waves(v);
}

/* lanes is 0: fibers run one after the other, each is a gang. */
SHMEMD_FN struct shmemd_gang shmemd_gang_one(void)
{
	const struct shmemd_gang gang = { 0, 1, 0 };

	return gang;
}

/* Its return address tells a caller's gang from another's. */
__attribute__((always_inline)) SHMEMD_FN struct shmemd_gang shmemd_gang(void)
{
	return shmemd_cpu_gang();
}

SHMEMD_FN uint64_t shmemd_gang_bcast(const struct shmemd_gang *gang, uint64_t v)
{
	return gang->lanes ? shmemd_cpu_gang_bcast(gang, v) : v;
}

SHMEMD_FN int shmemd_gang_any(const struct shmemd_gang *gang, int v)
{
	return gang->lanes ? shmemd_cpu_gang_any(gang, v) : v;
}

SHMEMD_FN void shmemd_gang_sync(const struct shmemd_gang *gang)
{
	if (gang->lanes)
		(void)shmemd_cpu_gang_bcast(gang, 0);
}

SHMEMD_FN struct shmemd_gang shmemd_gang_part(const struct shmemd_gang *gang,
					      uint64_t key, unsigned int limit)
{
	struct shmemd_gang part = *gang;

	if (gang->lanes)
		return shmemd_cpu_gang_part(gang, key, limit);
	part.size = key != 0;
	return part;
}

SHMEMD_FN int shmemd_lane_leads(uint64_t v)
{
	(void)v;
	return 1;
}

SHMEMD_FN int shmemd_is_global(const void *p)
{
	(void)p;
	return 1;
}

/* TSan takes fibers for threads; the credit is their thread's. */
SHMEMD_FN void shmemd_cpu_spend(void)
{
	const unsigned int left =
		__atomic_load_n(&shmemd_cpu_credit, __ATOMIC_RELAXED) - 1;

	__atomic_store_n(&shmemd_cpu_credit, left, __ATOMIC_RELAXED);
	if (SHMEMD_UNLIKELY(!left))
		shmemd_cpu_turn();
}

/* Loads and stores of words, whatever type the memory has. */
typedef uint8_t shmemd_any8 __attribute__((may_alias));
typedef uint16_t shmemd_any16 __attribute__((may_alias));
typedef uint32_t shmemd_any32 __attribute__((may_alias));
typedef uint64_t shmemd_any64 __attribute__((may_alias));

#define SHMEMD_LOAD_STORE(bits) \
	SHMEMD_FN uint##bits##_t shmemd_load##bits(const void *p) \
	{ \
		shmemd_cpu_spend(); \
		return __atomic_load_n((const shmemd_any##bits *)p, \
				       SHMEMD_LOAD_ORDER); \
	} \
	SHMEMD_FN void shmemd_store##bits(void *p, uint##bits##_t v) \
	{ \
		__atomic_store_n((shmemd_any##bits *)p, v, \
				 SHMEMD_STORE_ORDER); \
	}
SHMEMD_LOAD_STORE(8)
SHMEMD_LOAD_STORE(16)
SHMEMD_LOAD_STORE(32)
SHMEMD_LOAD_STORE(64)
#undef SHMEMD_LOAD_STORE

SHMEMD_FN struct shmemd_vec shmemd_load128(const void *p)
{
	const shmemd_any64 *word = (const shmemd_any64 *)p;
	struct shmemd_vec v;

	v.a = __atomic_load_n(word, SHMEMD_LOAD_ORDER);
	v.b = __atomic_load_n(word + 1, SHMEMD_LOAD_ORDER);
	return v;
}

SHMEMD_FN void shmemd_store128(void *p, struct shmemd_vec v)
{
	shmemd_any64 *word = (shmemd_any64 *)p;

	__atomic_store_n(word, v.a, SHMEMD_STORE_ORDER);
	__atomic_store_n(word + 1, v.b, SHMEMD_STORE_ORDER);
}

#define SHMEMD_STORE_PAIR 1
SHMEMD_FN void shmemd_store_pair(void *p, struct shmemd_vec v, int flag)
{
	uint64_t *word = (uint64_t *)p;

	shmemd_store64(&word[!flag], flag ? v.a : v.b);
	__atomic_store_n(&word[flag], flag ? v.b : v.a, __ATOMIC_RELEASE);
}

SHMEMD_FN struct shmemd_vec shmemd_stream128(const void *p)
{
	struct shmemd_vec v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Sequentially consistent, as the host's: the order of the API's atomics. */
#define SHMEMD_WORD(name) name##32
#define SHMEMD_WORD_T uint32_t
#include <shmem/device/arch_cpu_amo.inc>
#define SHMEMD_WORD(name) name##64
#define SHMEMD_WORD_T uint64_t
#include <shmem/device/arch_cpu_amo.inc>

SHMEMD_FN int shmemd_ctz(uint32_t v)
{
	return __builtin_ctz(v);
}

SHMEMD_FN void shmemd_max64(uint64_t *p, uint64_t v)
{
	uint64_t old = __atomic_load_n(p, SHMEMD_LOAD_ORDER);

	while (old < v &&
	       !__atomic_compare_exchange_n(p, &old, v, 0, SHMEMD_STORE_ORDER,
					    __ATOMIC_RELAXED))
		;
}

SHMEMD_FN uint64_t shmemd_local_load64(const uint64_t *p)
{
	return __atomic_load_n(p, SHMEMD_LOAD_ORDER);
}

SHMEMD_FN void shmemd_local_store64(uint64_t *p, uint64_t v)
{
	__atomic_store_n(p, v, SHMEMD_STORE_ORDER);
}

/* gcc warns of fences under TSan. */
#pragma GCC diagnostic push
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wtsan"
#endif

SHMEMD_FN void shmemd_fence_release(void)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

SHMEMD_FN void shmemd_fence_release_near(void)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

SHMEMD_FN void shmemd_fence_acquire(void)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

SHMEMD_FN void shmemd_fence_full(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#pragma GCC diagnostic pop

/* Stores of a CPU are in order with what its fences wait for. */
SHMEMD_FN void shmemd_wait_stores(void)
{
}

SHMEMD_FN void shmemd_pause(struct shmemd_pause *pause)
{
	shmemd_cpu_pause(pause);
}

#define SHMEMD_CLOCK_NS 1
SHMEMD_FN uint64_t shmemd_clock(void)
{
	return shmemd_cpu_clock();
}

SHMEMD_FN void shmemd_end(void)
{
	shmemd_cpu_end();
}

#endif
