/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One kernel for each primitive of shmem/device/arch.h, for the rules in
 * primitives.rules. Compiled to assembly only. Addresses differ between
 * work-items, or the compiler would take scalar loads.
 */
#include <shmem/device/arch.h>

#define KERNEL(name, ...) \
	extern "C" __attribute__((global)) void name(__VA_ARGS__)

#define LOAD_STORE(bits) \
	KERNEL(load##bits, const uint##bits##_t *p, uint64_t *out) \
	{ \
		out[shmemd_item()] = shmemd_load##bits(p + shmemd_item()); \
	} \
	KERNEL(store##bits, uint##bits##_t *p, uint##bits##_t v) \
	{ \
		shmemd_store##bits(p + shmemd_item(), v); \
	}
LOAD_STORE(8)
LOAD_STORE(16)
LOAD_STORE(32)
LOAD_STORE(64)

KERNEL(copy128, struct shmemd_vec *dst, const struct shmemd_vec *src)
{
	shmemd_store128(dst + shmemd_item(), shmemd_load128(src + shmemd_item()));
}

KERNEL(copy128x4, struct shmemd_vec *dst, const struct shmemd_vec *src)
{
	const size_t n = shmemd_nitems();
	struct shmemd_vec v[4];
	int i;

	shmemd_load128x4(v, src + shmemd_item(), n * sizeof(*src));
	for (i = 0; i < 4; i++)
		shmemd_store128(dst + i * n + shmemd_item(), v[i]);
}

KERNEL(gather128x4, struct shmemd_vec *dst, const char *src,
       const size_t *offset)
{
	const size_t n = shmemd_nitems();
	const void *p[4];
	struct shmemd_vec v[4];
	int i;

	for (i = 0; i < 4; i++)
		p[i] = src + offset[i * n + shmemd_item()];
	shmemd_gather128x4(v, p);
	for (i = 0; i < 4; i++)
		shmemd_store128(dst + i * n + shmemd_item(), v[i]);
}

KERNEL(stream128, struct shmemd_vec *dst, const struct shmemd_vec *src)
{
	shmemd_store128(dst + shmemd_item(),
			shmemd_stream128(src + shmemd_item()));
}

#define AMO(bits, op) \
	KERNEL(amo##bits##_##op, uint##bits##_t *p, uint##bits##_t *out) \
	{ \
		const unsigned int i = shmemd_item(); \
\
		out[i] = shmemd_amo##bits(SHMEMD_##op, p + i, i, i + 1); \
	} \
	KERNEL(red##bits##_##op, uint##bits##_t *p) \
	{ \
		const unsigned int i = shmemd_item(); \
\
		shmemd_red##bits(SHMEMD_##op, p + i, i, i + 1); \
	}
#define AMOS(op) AMO(32, op) AMO(64, op)
AMOS(FETCH)
AMOS(SET)
AMOS(SWAP)
AMOS(CSWAP)
AMOS(ADD)
AMOS(AND)
AMOS(OR)
AMOS(XOR)

KERNEL(local, uint64_t *p, uint64_t *out)
{
	shmemd_local_store64(out, shmemd_local_load64(p));
}

KERNEL(release, uint64_t *data, uint64_t *flag)
{
	data[shmemd_item()] = 1;
	shmemd_fence_release();
	shmemd_store64(flag, 1);
}

KERNEL(release_near, uint64_t *data, uint64_t *flag)
{
	data[shmemd_item()] = 1;
	shmemd_fence_release_near();
	shmemd_store64(flag, 1);
}

/* The releasing wave has nothing of its own under way. */
KERNEL(release_idle, uint64_t *data, uint64_t *flag)
{
	data[shmemd_item()] = 1;
	shmemd_wg_barrier();
	if (shmemd_item() || shmemd_load64(flag + 1) == 7)
		return;
	shmemd_fence_release();
	shmemd_store64(flag, 1);
}

KERNEL(put_flag, struct shmemd_vec *dst, struct shmemd_vec v, uint64_t *flag)
{
	shmemd_store128(dst + shmemd_item(), v);
	shmemd_wait_stores();
	shmemd_store64(flag, 1);
}

KERNEL(acquire, const uint64_t *flag, const uint64_t *data, uint64_t *out)
{
	while (shmemd_load64(flag) != 1) {
	}
	shmemd_fence_acquire();
	out[shmemd_item()] = data[shmemd_item()];
}

KERNEL(full, uint64_t *mine, const uint64_t *theirs, uint64_t *out)
{
	shmemd_store64(mine, 1);
	shmemd_fence_full();
	out[shmemd_item()] = shmemd_load64(theirs);
}

KERNEL(wave_meets, uint64_t *p)
{
	p[shmemd_item()] = shmemd_wave_bcast(p[shmemd_item()]);
	shmemd_wave_barrier();
	p[shmemd_item() + 1] = shmemd_wave_items();
}

KERNEL(wave_get, uint64_t *p)
{
	p[shmemd_item()] = shmemd_wave_get(p[shmemd_item()], p[0] & 31);
}

KERNEL(wave_max, float *p)
{
	p[shmemd_item()] = shmemd_wave_max(p[shmemd_item()], 8);
}

KERNEL(wave_sum, float *p)
{
	p[shmemd_item()] = shmemd_wave_sum(p[shmemd_item()], 32);
}

KERNEL(wg_sum_waves, float *p)
{
	p[shmemd_item()] = shmemd_wg_sum_waves(p[shmemd_item()]);
}

KERNEL(wg_meets, uint64_t *p)
{
	p[shmemd_item()] = shmemd_wg_bcast(p[shmemd_item()]);
	p[shmemd_wg()] = shmemd_wg_sum(shmemd_item()) + shmemd_nwgs();
}

KERNEL(thread_waits, const uint64_t *flag, uint64_t *out)
{
	struct shmemd_pause pause = { 0 };

	while (shmemd_load64(flag + shmemd_item()) != 1)
		shmemd_pause(&pause);
	if (out[shmemd_item()])
		shmemd_end();
	out[shmemd_item()] = shmemd_clock();
}
