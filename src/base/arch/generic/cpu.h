/* SPDX-License-Identifier: BSD-3-Clause */
/* A processor of which nothing is known: the compiler's and C's own means. */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#include <string.h>

static inline void cpu_relax(void)
{
}

static inline void stream_before_flag(void)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline void stream_copy(char *dst, const char *src, size_t bytes)
{
	memcpy(dst, src, bytes);
}

#endif
