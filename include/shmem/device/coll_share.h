/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How waves share blocks of different lengths: the blocks count as one after
 * the other, and each wave copies as many bytes of that. Its lanes look at a
 * block each, so that it costs few instructions to find those that it has a
 * part of.
 */
#ifndef SHMEM_DEVICE_COLL_SHARE_H
#define SHMEM_DEVICE_COLL_SHARE_H

#include <shmem/device/coll.h>

/* Bytes begin to end - 1 of all. */
struct shmemd_share {
	size_t begin, end;
};

/* A wave's blocks are cut at multiples of this, so that lines stay whole. */
#define SHMEMD_SHARE_CUT ((size_t)128)

/* What wave number `wave` of so many copies of all bytes. */
SHMEMD_FN struct shmemd_share shmemd_share_of(size_t all, unsigned int wave,
					      unsigned int waves)
{
	const unsigned int lines = (unsigned int)((all + 511) >> 9);
	const size_t part = (size_t)((lines + waves - 1) / waves) << 9;
	struct shmemd_share share;

	share.begin = wave * part;
	share.end = share.begin + part;
	return share;
}

/*
 * Lines of a wave's put, eight loads in flight: bytes is a multiple of 8 *
 * step, which is 16 for each lane. By itself, so that all registers are for it.
 */
SHMEMD_SLOW void shmemd_share_lines(char *dst, const char *src, size_t bytes,
				    unsigned int step)
{
	size_t at = (size_t)16 * shmemd_lane();
	struct shmemd_vec v[8];
	unsigned int i;

	for (; at < bytes; at += 8 * (size_t)step) {
		const char *from = src + at;
		char *to = dst + at;

		SHMEMD_UNROLL
		for (i = 0; i < 8; i++) {
			v[i] = shmemd_stream128(from);
			from += step;
		}
		SHMEMD_UNROLL
		for (i = 0; i < 8; i++) {
			shmemd_store128(to, v[i]);
			to += step;
		}
	}
}

/* A put by a wave; what is aligned and long has more in flight. */
SHMEMD_FN void shmemd_share_put(char *dst, const char *src, size_t bytes)
{
	const unsigned int step = 16 * shmemd_wave_items();
	size_t lines = 0;

	if (!(((uintptr_t)dst | (uintptr_t)src) & 15))
		lines = bytes / (8 * step) * (8 * step);
	if (lines)
		shmemd_share_lines(dst, src, lines, step);
	if (lines < bytes)
		xgmi_dev_put(SHMEMD_WAVE, dst + lines, src + lines,
			     bytes - lines);
}

/* The sum of v over this lane and those before it; all of the wave call. */
SHMEMD_FN uint64_t shmemd_wave_scan(uint64_t v)
{
	const unsigned int n = shmemd_wave_items(), lane = shmemd_lane();
	unsigned int step;

	for (step = 1; step < n; step *= 2) {
		const uint64_t other =
			shmemd_wave_get(v, lane < step ? lane : lane - step);

		v += lane < step ? 0 : other;
	}
	return v;
}

/* What the last lane has: of a scan, the sum. */
SHMEMD_FN uint64_t shmemd_wave_last(uint64_t v)
{
	return shmemd_wave_get(v, shmemd_wave_items() - 1);
}

SHMEMD_FN uint64_t shmemd_wave_total(uint64_t v)
{
	return shmemd_wave_last(shmemd_wave_scan(v));
}

/* The first lane whose block ends behind the share's begin. */
SHMEMD_FN unsigned int shmemd_share_first(const struct shmemd_share *share,
					  size_t end)
{
	return (unsigned int)shmemd_wave_total(end <= share->begin);
}

/* Byte of a block that begins at `at` where the one at `to` of all is cut. */
SHMEMD_FN size_t shmemd_share_cut(size_t to, size_t at, size_t bytes)
{
	const size_t cut = to < at ? 0 :
				     (to - at + SHMEMD_SHARE_CUT - 1) &
					     ~(SHMEMD_SHARE_CUT - 1);

	return cut < bytes ? cut : bytes;
}

#endif
