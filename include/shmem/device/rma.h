/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts and gets of kernels, by scope. Made by all of s with the same arguments.
 * A blocking call returns when its sources may be written and what it got may
 * be read, by any item of s.
 */
#ifndef SHMEM_DEVICE_RMA_H
#define SHMEM_DEVICE_RMA_H

#include <shmem/device/far.h>
#include <shmem/device/xgmi.h>

/* Elements of strided arrays; strides and sizes count elements. */
struct shmemd_strided {
	ptrdiff_t dst, sst;
	size_t bsize, nblocks;
	size_t esize;
};

SHMEMD_FN void shmemd_put(enum shmemd_scope s, const char *api, shmem_ctx_t ctx,
			  void *dest, const void *source, size_t nelems,
			  size_t esize, int pe, int nbi)
{
	const size_t bytes = shmemd_span_bytes(nelems, esize);
	void *to;

	shmemd_enter(s);
	if (nelems) {
		const int world = shmemd_ctx_pe(api, ctx, pe);

		if (shmemd_reach_far(api, dest, bytes, 1, world, &to))
			far_dev_put(s, ctx, dest, source, bytes, world, nbi);
		else
			xgmi_dev_put(s, to, source, nelems * esize);
	}
	if (!nbi)
		shmemd_leave(s);
}

SHMEMD_FN void shmemd_get(enum shmemd_scope s, const char *api, shmem_ctx_t ctx,
			  void *dest, const void *source, size_t nelems,
			  size_t esize, int pe, int nbi)
{
	const size_t bytes = shmemd_span_bytes(nelems, esize);
	void *from;

	shmemd_enter(s);
	if (nelems) {
		const int world = shmemd_ctx_pe(api, ctx, pe);

		if (shmemd_reach_far(api, source, bytes, 1, world, &from))
			far_dev_get(s, ctx, dest, source, bytes, world, nbi);
		else
			xgmi_dev_get(s, dest, from, nelems * esize);
	}
	if (!nbi)
		shmemd_scope_sync(s);
}

/* Of one element, 1 to 16 bytes, at any addresses. */
SHMEMD_FN void shmemd_strided_element(enum shmemd_way way, char *dst,
				      const char *src, size_t esize)
{
	const uintptr_t odd = (uintptr_t)dst | (uintptr_t)src;

	if (esize == 4 && !(odd & 3))
		shmemd_copy_one(way, dst, src, 4);
	else if (esize == 8 && !(odd & 7))
		shmemd_copy_one(way, dst, src, 8);
	else
		shmemd_copy_words(way, dst, src, esize, 0, 1);
}

/* Element e of block b, by item index of size; e and b step by size. */
SHMEMD_FN void shmemd_strided_copy(enum shmemd_way way, char *dst,
				   const char *src,
				   const struct shmemd_strided *a, size_t index,
				   size_t size)
{
	const size_t skip_e = size % a->bsize, skip_b = size / a->bsize;
	size_t e = index % a->bsize, b = index / a->bsize;

	while (b < a->nblocks) {
		const ptrdiff_t to = (ptrdiff_t)b * a->dst + (ptrdiff_t)e;
		const ptrdiff_t from = (ptrdiff_t)b * a->sst + (ptrdiff_t)e;

		shmemd_strided_element(way, dst + to * (ptrdiff_t)a->esize,
				       src + from * (ptrdiff_t)a->esize,
				       a->esize);
		e += skip_e;
		b += skip_b;
		if (e >= a->bsize) {
			e -= a->bsize;
			b++;
		}
	}
}

SHMEMD_SLOW void shmemd_strided_to(char *dst, const char *src,
				   struct shmemd_strided a, size_t index,
				   size_t size)
{
	shmemd_strided_copy(SHMEMD_TO_PEER, dst, src, &a, index, size);
}

SHMEMD_SLOW void shmemd_strided_from(char *dst, const char *src,
				     struct shmemd_strided a, size_t index,
				     size_t size)
{
	shmemd_strided_copy(SHMEMD_FROM_PEER, dst, src, &a, index, size);
}

/* From the first element to the last, for blocks stride apart. */
SHMEMD_FN size_t shmemd_strided_bytes(const struct shmemd_strided *a,
				      ptrdiff_t stride)
{
	const size_t n =
		stride ? shmemd_span_bytes(a->nblocks - 1, (size_t)stride) : 0;

	if (n > SIZE_MAX - a->bsize)
		return SIZE_MAX;
	return shmemd_span_bytes(n + a->bsize, a->esize);
}

SHMEMD_FN struct shmemd_strided shmemd_strided_of(ptrdiff_t dst, ptrdiff_t sst,
						  size_t bsize, size_t nblocks,
						  size_t esize)
{
	struct shmemd_strided a;

	a.dst = dst;
	a.sst = sst;
	a.bsize = bsize;
	a.nblocks = nblocks;
	a.esize = esize;
	return a;
}

/*
 * To a far PE: a put for each block, by items in turn, which wait at the end
 * for those that the host took from the source itself.
 */
SHMEMD_FN void shmemd_strided_put_far(enum shmemd_scope s, shmem_ctx_t ctx,
				      char *dest, const char *source,
				      const struct shmemd_strided *a, int pe)
{
	const size_t bytes = a->bsize * a->esize;
	const ptrdiff_t esize = (ptrdiff_t)a->esize;
	const unsigned int index = shmemd_scope_index(s);
	const unsigned int step = far_sharers(s, ctx);
	size_t b;

	shmemd_payload_before_entry(s);
	SHMEMD_ROLLED
	for (b = index < step ? index : a->nblocks; b < a->nblocks; b += step)
		far_put(ctx, dest + (ptrdiff_t)b * a->dst * esize,
			source + (ptrdiff_t)b * a->sst * esize, bytes, pe);
	if (index < step &&
	    !far_copies((uintptr_t)source | (uintptr_t)(a->sst * esize), bytes))
		far_dev_pe_quiet(ctx, pe);
}

SHMEMD_FN void shmemd_strided_get_far(enum shmemd_scope s, shmem_ctx_t ctx,
				      char *dest, const char *source,
				      const struct shmemd_strided *a, int pe)
{
	const size_t bytes = a->bsize * a->esize;
	const ptrdiff_t esize = (ptrdiff_t)a->esize;
	const unsigned int index = shmemd_scope_index(s);
	const unsigned int step = far_sharers(s, ctx);
	size_t b;

	shmemd_payload_before_entry(s);
	SHMEMD_ROLLED
	for (b = index < step ? index : a->nblocks; b < a->nblocks; b += step)
		far_get(ctx, dest + (ptrdiff_t)b * a->dst * esize,
			source + (ptrdiff_t)b * a->sst * esize, bytes, pe);
	if (index < step)
		far_dev_pe_quiet(ctx, pe);
	shmemd_flag_before_payload(s);
}

SHMEMD_FN void shmemd_iput(enum shmemd_scope s, const char *api,
			   shmem_ctx_t ctx, void *dest, const void *source,
			   struct shmemd_strided a, int pe)
{
	void *to;

	shmemd_enter(s);
	if (a.bsize && a.nblocks) {
		const int world = shmemd_ctx_pe(api, ctx, pe);

		if (shmemd_reach_far(api, dest, shmemd_strided_bytes(&a, a.dst),
				     1, world, &to))
			shmemd_strided_put_far(s, ctx, (char *)dest,
					       (const char *)source, &a, world);
		else
			shmemd_strided_to((char *)to, (const char *)source, a,
					  shmemd_scope_index(s),
					  shmemd_scope_size(s));
	}
	shmemd_leave(s);
}

SHMEMD_FN void shmemd_iget(enum shmemd_scope s, const char *api,
			   shmem_ctx_t ctx, void *dest, const void *source,
			   struct shmemd_strided a, int pe)
{
	void *from;

	shmemd_enter(s);
	if (a.bsize && a.nblocks) {
		const int world = shmemd_ctx_pe(api, ctx, pe);

		if (shmemd_reach_far(api, source,
				     shmemd_strided_bytes(&a, a.sst), 1, world,
				     &from))
			shmemd_strided_get_far(s, ctx, (char *)dest,
					       (const char *)source, &a, world);
		else
			shmemd_strided_from((char *)dest, (const char *)from, a,
					    shmemd_scope_index(s),
					    shmemd_scope_size(s));
	}
	shmemd_scope_sync(s);
}

/* One element of 1, 2, 4 or 8 bytes at value, by one item: one store. */
SHMEMD_FN void shmemd_p(const char *api, shmem_ctx_t ctx, void *dest,
			const void *value, unsigned int bytes, int pe)
{
	const int world = shmemd_ctx_pe(api, ctx, pe);
	uint64_t v = 0;
	void *to;

	__builtin_memcpy(&v, value, bytes);
	if (shmemd_reach_far(api, dest, bytes, bytes, world, &to))
		far_dev_p(ctx, dest, v, bytes, world);
	else
		shmemd_copy_store(SHMEMD_TO_PEER, to, v, bytes);
}

/* The same from the peer to value: one load. */
SHMEMD_FN void shmemd_g(const char *api, shmem_ctx_t ctx, void *value,
			const void *source, unsigned int bytes, int pe)
{
	const int world = shmemd_ctx_pe(api, ctx, pe);
	void *from;
	uint64_t v;

	if (shmemd_reach_far(api, source, bytes, bytes, world, &from))
		v = far_dev_g(ctx, source, bytes, world);
	else
		v = shmemd_copy_load(SHMEMD_FROM_PEER, from, bytes);
	__builtin_memcpy(value, &v, bytes);
}

#endif
