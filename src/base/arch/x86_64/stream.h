/* SPDX-License-Identifier: BSD-3-Clause */
/* Copy whose stores bypass the caches. */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void stream_line(char *dst, const char *src)
{
	__m128i v[4];

	for (int i = 0; i < 4; i++)
		v[i] = _mm_loadu_si128((const __m128i *)(src + 16 * i));
	for (int i = 0; i < 4; i++)
		_mm_stream_si128((__m128i *)(dst + 16 * i), v[i]);
}

static inline void stream_copy(char *dst, const char *src, size_t bytes)
{
	size_t head = -(uintptr_t)dst & 63;
	size_t at = head < bytes ? head : bytes;

	memcpy(dst, src, at);
	for (; at + 64 <= bytes; at += 64)
		stream_line(dst + at, src + at);
	memcpy(dst + at, src + at, bytes - at);
}

#endif
