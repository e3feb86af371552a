/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels around the exchanges of moe.c, for CPUs and GPUs. */
#include <shmem/device.h>

#include "moe.h"

struct line {
	uint64_t a, b;
} __attribute__((aligned(16)));

union bits {
	uint32_t u;
	float f;
};

SHMEMX_FN float from_bf16(uint16_t v)
{
	union bits b;

	b.u = (uint32_t)v << 16;
	return b.f;
}

/* To nearest, ties to even; of finite values. */
SHMEMX_FN uint16_t to_bf16(float f)
{
	union bits b;

	b.f = f;
	return (uint16_t)((b.u + 0x7fff + (b.u >> 16 & 1)) >> 16);
}

SHMEMX_FN float from_e4m3(uint8_t v)
{
	const uint32_t exponent = v >> 3 & 15, mantissa = v & 7;
	union bits b;

	b.u = (exponent + 120) << 23 | mantissa << 20;
	if (!exponent)
		b.f = (float)mantissa / 512;
	return v & 0x80 ? -b.f : b.f;
}

SHMEMX_FN float element(const void *row, size_t i, uint32_t bytes)
{
	return bytes == 2 ? from_bf16(((const uint16_t *)row)[i]) :
			    ((const float *)row)[i];
}

SHMEMX_FN void element_set(void *row, size_t i, uint32_t bytes, float v)
{
	if (bytes == 2)
		((uint16_t *)row)[i] = to_bf16(v);
	else
		((float *)row)[i] = v;
}

SHMEMX_FN void row_copy(char *to, const char *from, size_t bytes)
{
	const size_t n = bytes / sizeof(struct line);

	for (size_t i = shmemx_item(); i < n; i += shmemx_nitems())
		((struct line *)to)[i] = ((const struct line *)from)[i];
}

SHMEMX_KERNEL(moe_identity, struct moe_kernel_args, a)
{
	const size_t step = (size_t)shmemx_nwgs();

	for (size_t r = shmemx_wg(); r < a.n_rows; r += step)
		for (size_t h = shmemx_item(); h < a.hidden;
		     h += shmemx_nitems()) {
			const size_t at = r * a.hidden + h;
			float v;

			if (a.quant)
				v = from_e4m3(((const uint8_t *)a.in)[at]) *
				    a.scales[at / SHMEMX_MOE_SCALE_ELEMS];
			else
				v = element(a.in, at, a.elem_bytes);
			element_set(a.out, at, a.elem_bytes, v);
		}
}

/* A work-group a chunk: who of the chunk is before me at my expert. */
SHMEMX_KERNEL(moe_sort_count, struct moe_kernel_args, a)
{
	const uint32_t chunk = MOE_CHUNK * a.top_k, all = a.n_tokens * a.top_k;
	const uint32_t from = shmemx_wg() * chunk;
	const uint32_t to = from + chunk < all ? from + chunk : all;
	int32_t *counts = a.before + (size_t)shmemx_wg() * a.n_experts;

	for (uint32_t i = from + shmemx_item(); i < to; i += shmemx_nitems()) {
		int32_t rank = 0;

		for (uint32_t k = from; k < i; k++)
			rank += a.ids[k] == a.ids[i];
		a.ranks[i] = rank;
	}
	for (uint32_t e = shmemx_item(); e < a.n_experts;
	     e += shmemx_nitems()) {
		int32_t n = 0;

		for (uint32_t k = from; k < to; k++)
			n += a.ids[k] == (int32_t)e;
		counts[e] = n;
	}
}

SHMEMX_KERNEL(moe_sort_scan, struct moe_kernel_args, a)
{
	const uint32_t n_chunks = (a.n_tokens + MOE_CHUNK - 1) / MOE_CHUNK;

	for (uint32_t e = shmemx_item(); e < a.n_experts;
	     e += shmemx_nitems()) {
		size_t sum = 0;

		for (uint32_t c = 0; c < n_chunks; c++) {
			int32_t *at = a.before + (size_t)c * a.n_experts + e;
			const int32_t n = *at;

			*at = (int32_t)sum;
			sum += (size_t)n;
		}
		a.counts[e] = sum;
	}
	shmemx_wg_barrier();
	for (uint32_t e = shmemx_item(); e < a.n_experts;
	     e += shmemx_nitems()) {
		size_t sum = 0;

		for (uint32_t k = 0; k < e; k++)
			sum += a.counts[k];
		a.first[e] = sum;
	}
}

SHMEMX_KERNEL(moe_sort_move, struct moe_kernel_args, a)
{
	const size_t bytes = (size_t)a.hidden * a.elem_bytes;
	const uint32_t all = a.n_tokens * a.top_k;

	for (uint32_t i = shmemx_wg(); i < all; i += shmemx_nwgs()) {
		const uint32_t token = i / a.top_k;
		const size_t e = (size_t)a.ids[i];
		const size_t to =
			a.first[e] + (size_t)a.ranks[i] +
			(size_t)a.before[token / MOE_CHUNK * a.n_experts + e];

		if (shmemx_item() == 0)
			a.place[i] = (int32_t)to;
		row_copy((char *)a.out + to * bytes,
			 (const char *)a.in + token * bytes, bytes);
	}
}

SHMEMX_KERNEL(moe_move, struct moe_kernel_args, a)
{
	const size_t bytes = (size_t)a.hidden * a.elem_bytes;

	for (size_t r = shmemx_wg(); r < a.n_rows; r += shmemx_nwgs()) {
		size_t low = 0, high = a.n_blocks - 1, at;

		while (low < high) {
			const size_t middle = (low + high) / 2;

			if (a.ends[middle] > r)
				high = middle;
			else
				low = middle + 1;
		}
		at = r - (low ? a.ends[low - 1] : 0);
		row_copy((char *)a.out + (a.to[low] + at) * bytes,
			 (const char *)a.in + (a.from[low] + at) * bytes,
			 bytes);
	}
}

SHMEMX_KERNEL(moe_sum, struct moe_kernel_args, a)
{
	for (uint32_t t = shmemx_wg(); t < a.n_tokens; t += shmemx_nwgs())
		for (size_t h = shmemx_item(); h < a.hidden;
		     h += shmemx_nitems()) {
			float sum = 0;

			for (uint32_t k = 0; k < a.top_k; k++) {
				const uint32_t i = t * a.top_k + k;
				const size_t row = (size_t)a.place[i];

				sum += a.weights[i] *
				       element(a.in, row * a.hidden + h,
					       a.elem_bytes);
			}
			element_set(a.out, (size_t)t * a.hidden + h,
				    a.elem_bytes, sum);
		}
}

/* A square product of floats, a tile of 4 x 4 an item: busy, little memory. */
SHMEMX_KERNEL(moe_gemm, struct moe_kernel_args, a)
{
	const float *x = (const float *)a.in, *y = x + (size_t)a.tile * a.tile;
	const uint32_t n = a.tile, side = n / 4,
		       step = shmemx_nwgs() * shmemx_nitems();

	for (uint32_t i = shmemx_wg() * shmemx_nitems() + shmemx_item();
	     i < side * side; i += step) {
		const float *row = x + (size_t)(i / side) * 4 * n;
		const float *column = y + i % side * 4;
		float c[4][4] = { { 0 } };

		for (uint32_t k = 0; k < n; k++) {
			const float *b = column + (size_t)k * n;

			for (int r = 0; r < 4; r++)
				for (int s = 0; s < 4; s++)
					c[r][s] +=
						row[(size_t)r * n + k] * b[s];
		}
		for (int r = 0; r < 4; r++)
			for (int s = 0; s < 4; s++)
				((float *)a.out)[((size_t)(i / side) * 4 +
						  (size_t)r) *
							 n +
						 i % side * 4 + (size_t)s] =
					c[r][s];
	}
}

const struct shmemx_kernel *moe_kernel(enum moe_kernel which)
{
	switch (which) {
	case MOE_IDENTITY:
		return SHMEMX_KERNEL_REF(moe_identity);
	case MOE_SORT_COUNT:
		return SHMEMX_KERNEL_REF(moe_sort_count);
	case MOE_SORT_SCAN:
		return SHMEMX_KERNEL_REF(moe_sort_scan);
	case MOE_SORT_MOVE:
		return SHMEMX_KERNEL_REF(moe_sort_move);
	case MOE_MOVE:
		return SHMEMX_KERNEL_REF(moe_move);
	case MOE_SUM:
		return SHMEMX_KERNEL_REF(moe_sum);
	default:
		return SHMEMX_KERNEL_REF(moe_gemm);
	}
}
