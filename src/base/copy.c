/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/copy.h"

#include "base/arch/cpu.h"

/*
 * The C library's copy switches by itself where it knows the caches; on no
 * machine measured so far did switching earlier pay.
 */
size_t shmemi_copy_nt_bytes = SIZE_MAX;

void shmemi_copy_long(void *dst, const void *src, size_t bytes)
{
	if (!bytes)
		return;
	if (bytes < shmemi_copy_nt_bytes) {
		memcpy(dst, src, bytes);
		return;
	}
	stream_copy(dst, src, bytes);
	stream_before_flag();
}

/* Strides and block in bytes. */
static __always_inline void copy_blocks(char *dst, ptrdiff_t dst_stride,
					const char *src, ptrdiff_t src_stride,
					size_t block, size_t nblocks)
{
	for (size_t i = 0; i < nblocks; i++) {
		shmemi_copy(dst, src, block);
		dst += dst_stride;
		src += src_stride;
	}
}

/* Constant block sizes, so that an element is a load and a store. */
void shmemi_copy_strided(char *dst, ptrdiff_t dst_stride, const char *src,
			 ptrdiff_t src_stride, size_t block, size_t nblocks)
{
	if (dst_stride == src_stride && dst_stride == (ptrdiff_t)block) {
		shmemi_copy(dst, src, block * nblocks);
		return;
	}
	switch (block) {
	case 1:
		copy_blocks(dst, dst_stride, src, src_stride, 1, nblocks);
		break;
	case 2:
		copy_blocks(dst, dst_stride, src, src_stride, 2, nblocks);
		break;
	case 4:
		copy_blocks(dst, dst_stride, src, src_stride, 4, nblocks);
		break;
	case 8:
		copy_blocks(dst, dst_stride, src, src_stride, 8, nblocks);
		break;
	case 16:
		copy_blocks(dst, dst_stride, src, src_stride, 16, nblocks);
		break;
	default:
		copy_blocks(dst, dst_stride, src, src_stride, block, nblocks);
	}
}

#define PAGE_BYTES 4096
#define NO_SANITIZE __attribute__((no_sanitize("address", "thread")))

static NO_SANITIZE int is_zero(const uint64_t *page)
{
	uint64_t any = 0;

	for (size_t i = 0; i < PAGE_BYTES / sizeof(*page); i++)
		any |= page[i];
	return !any;
}

/*
 * The barrier keeps the compiler from making this a call of memcpy, which a
 * sanitizer would watch: the pages hold its own red zones as well.
 */
static NO_SANITIZE void copy_page(uint64_t *dst, const uint64_t *src)
{
	for (size_t i = 0; i < PAGE_BYTES / sizeof(*src); i++) {
		dst[i] = src[i];
		__asm__ volatile("" ::: "memory");
	}
}

NO_SANITIZE void shmemi_copy_sparse(void *dst, const void *src, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += PAGE_BYTES) {
		const void *page = (const char *)src + at;

		if (!is_zero(page))
			copy_page((void *)((char *)dst + at), page);
	}
}
