/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies by the work-items of a scope, for memory that loads and stores reach.
 *
 * To a peer: plain loads of a local source of any kind, bypassing stores. From
 * a peer: loads that see what the peer stored, plain stores. Any addresses and
 * sizes; pieces are of 16 bytes where dst allows, source then is shifted into
 * place, and no byte outside of source is read. An element of 2, 4 or 8 bytes
 * that is aligned in dst is stored by one store; that is aligned in source, it
 * is loaded by one load. No barriers in here.
 */
#ifndef SHMEM_DEVICE_COPY_H
#define SHMEM_DEVICE_COPY_H

#include <shmem/device/scope.h>

enum shmemd_way { SHMEMD_TO_PEER, SHMEMD_FROM_PEER };

/* Ordinary accesses, whatever type the memory has. */
typedef uint16_t __attribute__((may_alias)) shmemd_plain16;
typedef uint32_t __attribute__((may_alias)) shmemd_plain32;
typedef uint64_t __attribute__((may_alias)) shmemd_plain64;
struct shmemd_line {
	uint64_t a, b;
} __attribute__((may_alias, aligned(16)));

/* One load, one store of bytes = 1, 2, 4 or 8, aligned to bytes. */
SHMEMD_FN uint64_t shmemd_copy_load(enum shmemd_way way, const void *src,
				    unsigned int bytes)
{
	const int far = way == SHMEMD_FROM_PEER;

	if (bytes == 8)
		return far ? shmemd_load64(src) : *(const shmemd_plain64 *)src;
	if (bytes == 4)
		return far ? shmemd_load32(src) : *(const shmemd_plain32 *)src;
	if (bytes == 2)
		return far ? shmemd_load16(src) : *(const shmemd_plain16 *)src;
	return far ? shmemd_load8(src) : *(const uint8_t *)src;
}

SHMEMD_FN void shmemd_copy_store(enum shmemd_way way, void *dst, uint64_t v,
				 unsigned int bytes)
{
	const int far = way == SHMEMD_TO_PEER;

	if (bytes == 8 && far)
		shmemd_store64(dst, v);
	else if (bytes == 8)
		*(shmemd_plain64 *)dst = v;
	else if (bytes == 4 && far)
		shmemd_store32(dst, (uint32_t)v);
	else if (bytes == 4)
		*(shmemd_plain32 *)dst = (uint32_t)v;
	else if (bytes == 2 && far)
		shmemd_store16(dst, (uint16_t)v);
	else if (bytes == 2)
		*(shmemd_plain16 *)dst = (uint16_t)v;
	else if (far)
		shmemd_store8(dst, (uint8_t)v);
	else
		*(uint8_t *)dst = (uint8_t)v;
}

/* An element of 1, 2, 4 or 8 bytes, aligned in both places. */
SHMEMD_FN void shmemd_copy_one(enum shmemd_way way, void *dst, const void *src,
			       unsigned int bytes)
{
	shmemd_copy_store(way, dst, shmemd_copy_load(way, src, bytes), bytes);
}

SHMEMD_FN struct shmemd_vec shmemd_copy_load16(enum shmemd_way way,
					       const void *src)
{
	return way == SHMEMD_FROM_PEER ? shmemd_load128(src) :
					 shmemd_stream128(src);
}

SHMEMD_FN void shmemd_copy_store16(enum shmemd_way way, void *dst,
				   struct shmemd_vec v)
{
	struct shmemd_line line;

	if (way == SHMEMD_TO_PEER) {
		shmemd_store128(dst, v);
		return;
	}
	line.a = v.a;
	line.b = v.b;
	*(struct shmemd_line *)dst = line;
}

/* Four of them, `step` bytes apart, in flight together. */
SHMEMD_FN void shmemd_copy_load16x4(enum shmemd_way way, struct shmemd_vec v[4],
				    const char *src, size_t step)
{
	if (way == SHMEMD_FROM_PEER) {
		shmemd_load128x4(v, src, step);
		return;
	}
	v[0] = shmemd_stream128(src);
	v[1] = shmemd_stream128(src + step);
	v[2] = shmemd_stream128(src + 2 * step);
	v[3] = shmemd_stream128(src + 3 * step);
}

/* The largest power of two that divides the address, at most 8. */
SHMEMD_FN unsigned int shmemd_copy_align(const void *p)
{
	const unsigned int low = (unsigned int)(uintptr_t)p | 8;

	return low & -low;
}

/* One store of bytes, from loads as wide as source's alignment allows. */
SHMEMD_FN void shmemd_copy_piece(enum shmemd_way way, char *dst,
				 const char *src, unsigned int bytes)
{
	const unsigned int align = shmemd_copy_align(src);
	const unsigned int step = align < bytes ? align : bytes;
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < bytes; i += step)
		v |= shmemd_copy_load(way, src + i, step) << 8 * i;
	shmemd_copy_store(way, dst, v, bytes);
}

/* Bytes within one aligned word of 8 bytes of dst. */
SHMEMD_FN void shmemd_copy_word(enum shmemd_way way, char *dst, const char *src,
				size_t bytes)
{
	size_t i = 0;

	while (i < bytes) {
		unsigned int step = shmemd_copy_align(dst + i);

		while (step > bytes - i)
			step /= 2;
		shmemd_copy_piece(way, dst + i, src + i, step);
		i += step;
	}
}

/* Any copy, a word of dst to an item: item `index` of `size` of them. */
SHMEMD_FN void shmemd_copy_words(enum shmemd_way way, char *dst,
				 const char *src, size_t bytes, size_t index,
				 size_t size)
{
	const size_t skew = (uintptr_t)dst & 7;
	size_t w;

	for (w = 8 * index; w < skew + bytes; w += 8 * size) {
		const size_t from = w > skew ? w - skew : 0;
		const size_t end = w + 8 - skew;
		const size_t to = end < bytes ? end : bytes;

		shmemd_copy_word(way, dst + from, src + from, to - from);
	}
}

/* dst and src aligned to 16, bytes a multiple of 16; four loads in flight. */
SHMEMD_FN void shmemd_copy_lines(enum shmemd_way way, char *dst,
				 const char *src, size_t bytes, size_t index,
				 size_t size)
{
	const size_t step = 16 * size;
	size_t at = 16 * index;
	struct shmemd_vec v[4];

	for (; at + 3 * step < bytes; at += 4 * step) {
		shmemd_copy_load16x4(way, v, src + at, step);
		shmemd_copy_store16(way, dst + at, v[0]);
		shmemd_copy_store16(way, dst + at + step, v[1]);
		shmemd_copy_store16(way, dst + at + 2 * step, v[2]);
		shmemd_copy_store16(way, dst + at + 3 * step, v[3]);
	}
	v[0].a = v[0].b = 0;
	v[2] = v[1] = v[0];
	if (at < bytes)
		v[0] = shmemd_copy_load16(way, src + at);
	if (at + step < bytes)
		v[1] = shmemd_copy_load16(way, src + at + step);
	if (at + 2 * step < bytes)
		v[2] = shmemd_copy_load16(way, src + at + 2 * step);
	if (at < bytes)
		shmemd_copy_store16(way, dst + at, v[0]);
	if (at + step < bytes)
		shmemd_copy_store16(way, dst + at + step, v[1]);
	if (at + 2 * step < bytes)
		shmemd_copy_store16(way, dst + at + 2 * step, v[2]);
}

/* 16 bytes from the 32 of lo and hi, from byte `skew` (1 to 15) on. */
SHMEMD_FN struct shmemd_vec
shmemd_copy_shift(struct shmemd_vec lo, struct shmemd_vec hi, unsigned int skew)
{
	const uint64_t x = skew < 8 ? lo.a : lo.b;
	const uint64_t y = skew < 8 ? lo.b : hi.a;
	const uint64_t z = skew < 8 ? hi.a : hi.b;
	const unsigned int bits = 8 * (skew & 7);
	struct shmemd_vec v;

	/* Two shifts: one by 64 would be undefined. */
	v.a = x >> bits | y << 1 << (63 - bits);
	v.b = y >> bits | z << 1 << (63 - bits);
	return v;
}

/* As lines, with source skew bytes (1 to 15) behind an aligned line. */
SHMEMD_FN void shmemd_copy_skewed(enum shmemd_way way, char *dst,
				  const char *src, size_t bytes, size_t index,
				  size_t size)
{
	const unsigned int skew = (uintptr_t)src & 15;
	const char *line = src - skew;
	const size_t step = 16 * size;
	size_t at = 16 * index;
	struct shmemd_vec v[4];

	for (; at + step < bytes; at += 2 * step) {
		v[0] = shmemd_copy_load16(way, line + at);
		v[1] = shmemd_copy_load16(way, line + at + 16);
		v[2] = shmemd_copy_load16(way, line + at + step);
		v[3] = shmemd_copy_load16(way, line + at + step + 16);
		shmemd_copy_store16(way, dst + at,
				    shmemd_copy_shift(v[0], v[1], skew));
		shmemd_copy_store16(way, dst + at + step,
				    shmemd_copy_shift(v[2], v[3], skew));
	}
	if (at < bytes) {
		v[0] = shmemd_copy_load16(way, line + at);
		v[1] = shmemd_copy_load16(way, line + at + 16);
		shmemd_copy_store16(way, dst + at,
				    shmemd_copy_shift(v[0], v[1], skew));
	}
}

/*
 * Any copy. The middle goes by lines of dst; the ends, which have no full line
 * or whose lines would need bytes outside of source, by words.
 */
SHMEMD_FN void shmemd_copy_any(enum shmemd_way way, char *dst, const char *src,
			       size_t bytes, size_t index, size_t size)
{
	const unsigned int skew =
		(unsigned int)((uintptr_t)src - (uintptr_t)dst) & 15;
	size_t head = -(uintptr_t)dst & 15;
	size_t middle = 0;

	if (skew > head)
		head += 16;
	/* The last skewed line reads up to 16 - skew bytes beyond its own. */
	if (bytes > 8 * size && bytes >= head + 32 - skew)
		middle = (bytes - head - (skew ? 16 - skew : 0)) & ~(size_t)15;
	if (!middle)
		head = bytes;
	if (middle && skew)
		shmemd_copy_skewed(way, dst + head, src + head, middle, index,
				   size);
	else if (middle)
		shmemd_copy_lines(way, dst + head, src + head, middle, index,
				  size);
	shmemd_copy_words(way, dst, src, head, index, size);
	head += middle;
	shmemd_copy_words(way, dst + head, src + head, bytes - head, index,
			  size);
}

SHMEMD_SLOW void shmemd_copy_to(char *dst, const char *src, size_t bytes,
				size_t index, size_t size)
{
	shmemd_copy_any(SHMEMD_TO_PEER, dst, src, bytes, index, size);
}

SHMEMD_SLOW void shmemd_copy_from(char *dst, const char *src, size_t bytes,
				  size_t index, size_t size)
{
	shmemd_copy_any(SHMEMD_FROM_PEER, dst, src, bytes, index, size);
}

/*
 * The copy that calls use, made by all of s: an aligned word to an item in
 * line, all else by one function for all scopes.
 */
SHMEMD_FN void shmemd_copy(enum shmemd_scope s, enum shmemd_way way, void *dst,
			   const void *src, size_t bytes)
{
	const size_t index = shmemd_scope_index(s);
	const size_t size = shmemd_scope_size(s);
	const size_t odd = (uintptr_t)dst | (uintptr_t)src | bytes;
	char *to = (char *)dst;
	const char *from = (const char *)src;

	if (!(odd & 7) && bytes <= 8 * size) {
		if (8 * index < bytes)
			shmemd_copy_one(way, to + 8 * index, from + 8 * index,
					8);
	} else if (!(odd & 3) && bytes <= 4 * size) {
		if (4 * index < bytes)
			shmemd_copy_one(way, to + 4 * index, from + 4 * index,
					4);
	} else if (way == SHMEMD_TO_PEER) {
		shmemd_copy_to(to, from, bytes, index, size);
	} else {
		shmemd_copy_from(to, from, bytes, index, size);
	}
}

#endif
