/* SPDX-License-Identifier: BSD-3-Clause */
/* What moe.c exchanges, and whether it came. */
#include "moe_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float *host_x;
static void *host_out;

/* A number of few bits, so that every dtype holds it. */
static float x_at(const struct bench_case *c, size_t t, size_t h)
{
	const uint64_t v = bench_tag(c, c->me) + 7 * t + 3 * h + (h >> 7);

	return (float)((int)(v % 127) - 63) / 64;
}

static void x_encode(void *to, size_t i, float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof(bits));
	if (moe.dtype == SHMEMX_MOE_FP32)
		((float *)to)[i] = v;
	else if (moe.dtype == SHMEMX_MOE_BF16)
		((uint16_t *)to)[i] = (uint16_t)(bits >> 16);
	else /* normal in both, or zero */
		((uint16_t *)to)[i] =
			(uint16_t)((bits >> 16 & 0x8000) |
				   (v ? ((bits >> 13) - (112 << 10)) & 0x7fff :
					0));
}

static float x_decode(const void *from, size_t i)
{
	const uint32_t h = ((const uint16_t *)from)[i];
	uint32_t bits = h << 16;
	float v;

	if (moe.dtype == SHMEMX_MOE_FP32)
		return ((const float *)from)[i];
	if (moe.dtype == SHMEMX_MOE_FP16)
		bits = (h & 0x8000) << 16 |
		       (h & 0x7fff ? ((h & 0x7fff) << 13) + (112u << 23) : 0);
	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* Experts of a token: drawn by the skew, each once. */
static void ids_draw(const struct bench_case *c)
{
	uint64_t state = bench_tag(c, c->me) * 0x9e3779b97f4a7c15u | 1;
	double *up_to = calloc(moe.n_experts, sizeof(*up_to)), sum = 0;

	for (uint32_t e = 0; e < moe.n_experts; e++)
		up_to[e] = sum +=
			skew_share(moe.skew, (int)e, (int)moe.n_experts);
	for (uint32_t i = 0; i < moe.n_tokens * moe.top_k; i++) {
		const uint32_t first = i - i % moe.top_k;
		uint32_t e = 0, k = first;
		double at;

		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		at = (double)(state >> 11) / (double)(1ull << 53) * sum;
		while (e < moe.n_experts - 1 && up_to[e] <= at)
			e++;
		while (k < i) {
			if (moe.host_ids[k] != (int32_t)e) {
				k++;
				continue;
			}
			e = (e + 1) % moe.n_experts;
			k = first;
		}
		moe.host_ids[i] = (int32_t)e;
	}
	free(up_to);
}

void moe_data_open(void)
{
	const size_t n = (size_t)moe.n_tokens * moe.hidden;

	moe.host_ids =
		malloc((size_t)moe.n_tokens * moe.top_k * sizeof(int32_t));
	host_x = malloc(n * sizeof(float));
	host_out = malloc(n * moe.elem_bytes);
}

void moe_data_close(void)
{
	free(host_out);
	free(host_x);
	free(moe.host_ids);
}

static void weights_fill(void)
{
	const size_t n = (size_t)moe.n_tokens * moe.top_k;
	float *w = malloc(n * sizeof(*w));

	for (size_t i = 0; i < n; i++)
		w[i] = 1.0f / (float)moe.top_k;
	shmemx_memcpy(moe.weights, w, n * sizeof(*w));
	free(w);
}

void moe_data_fill(const struct bench_case *c)
{
	const size_t n = moe.n_tokens;

	ids_draw(c);
	for (size_t t = 0; t < n; t++)
		for (size_t h = 0; h < moe.hidden; h++) {
			const float v = x_at(c, t, h);

			host_x[t * moe.hidden + h] = v;
			x_encode(host_out, t * moe.hidden + h, v);
		}
	shmemx_memcpy(moe.x, host_out, n * moe.hidden * moe.elem_bytes);
	shmemx_memcpy(moe.ids, moe.host_ids, n * moe.top_k * sizeof(int32_t));
	weights_fill();
}

size_t moe_data_wrong(float want, float slack)
{
	const size_t n = (size_t)moe.n_tokens * moe.hidden;
	size_t wrong = 0;

	shmemx_memcpy(host_out, moe.out, n * moe.elem_bytes);
	for (size_t i = 0; i < n; i++) {
		const float v = host_x[i] * want;

		/* Written so that what is no number is wrong. */
		if (!(fabsf(x_decode(host_out, i) - v) <=
		      fabsf(v) * slack + slack / 64))
			wrong += moe.elem_bytes;
	}
	return wrong;
}
