/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void cpu_relax(void)
{
	_mm_pause();
}

/*
 * SFENCE "guarantees that every store before it is globally visible before any
 * store after it" (Intel SDM 2B); streaming stores pass others without it.
 */
static inline void stream_before_flag(void)
{
	_mm_sfence();
}

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
