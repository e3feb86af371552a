/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What sanitizers must be told of fibers. Nothing in an ordinary build.
 *
 * A switch is no synchronisation to TSan, so that it sees races between
 * work-items; what orders them (barriers, start and end of a launch) says so
 * with sanitize_release and sanitize_acquire. The scheduler itself, which all
 * fibers share, is not instrumented.
 */
#ifndef GPU_CPU_SANITIZE_H
#define GPU_CPU_SANITIZE_H

#include <stddef.h>

#if defined(__has_feature)
#define SANITIZE_HAS(feature) __has_feature(feature)
#else
#define SANITIZE_HAS(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || SANITIZE_HAS(address_sanitizer)
#define SANITIZE_STACK_BYTES ((size_t)256 << 10)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define sanitize_switch_begin __sanitizer_start_switch_fiber
#define sanitize_switch_end __sanitizer_finish_switch_fiber
#define sanitize_frames_end __asan_handle_no_return
#else
#define SANITIZE_STACK_BYTES ((size_t)64 << 10)
static inline void sanitize_switch_begin(void **fake, const void *stack,
					 size_t bytes)
{
	(void)fake, (void)stack, (void)bytes;
}
static inline void sanitize_switch_end(void *fake, const void **stack,
				       size_t *bytes)
{
	(void)fake, (void)stack, (void)bytes;
}
static inline void sanitize_frames_end(void)
{
}
#endif

#if defined(__SANITIZE_THREAD__) || SANITIZE_HAS(thread_sanitizer)
#define SANITIZE_NO_THREAD __attribute__((no_sanitize("thread")))
#define SANITIZE_ITEMS_MAX 2048 /* it has so many threads */
#include <sanitizer/tsan_interface.h>
#define sanitize_acquire __tsan_acquire
#define sanitize_release __tsan_release
#define sanitize_self __tsan_get_current_fiber
#define sanitize_create() __tsan_create_fiber(0)
#define sanitize_destroy __tsan_destroy_fiber
#define sanitize_switch(fiber) \
	__tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync)
#else
#define SANITIZE_NO_THREAD
#define SANITIZE_ITEMS_MAX 16384
static inline void sanitize_acquire(void *p)
{
	(void)p;
}
static inline void sanitize_release(void *p)
{
	(void)p;
}
static inline void *sanitize_self(void)
{
	return NULL;
}
static inline void *sanitize_create(void)
{
	return NULL;
}
static inline void sanitize_destroy(void *fiber)
{
	(void)fiber;
}
static inline void sanitize_switch(void *fiber)
{
	(void)fiber;
}
#endif

#endif
