/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where an address lies for a NIC: this PE's memory that its NICs know, and
 * peers' symmetric memory, in chunks with keys. A transfer is cut where one of
 * its two sides comes to the end of a chunk, or of what is known.
 */
#ifndef SHMEM_DEVICE_GDA_MEMORY_H
#define SHMEM_DEVICE_GDA_MEMORY_H

#include <shmem/device/gda_format.h>
#include <shmem/device/reach.h>

/* One side of a transfer. */
struct gda_side {
	uint64_t at;
	struct shmemd_gda_key key;
	uint32_t bytes; /* from there on with this key; 0: unknown */
};

/* Of n bytes, those that are not beyond `rest`. */
SHMEMD_FN uint32_t gda_cut(uint32_t n, uint64_t rest)
{
	return n < rest ? n : (uint32_t)rest;
}

/* Of n bytes, those that lie in the chunk of the first, and in its 4 GiB. */
SHMEMD_FN uint32_t gda_chunk_cut(uint32_t n, size_t offset)
{
	const uint64_t chunk = (uint64_t)1 << shmemd_block.gda.chunk_log2;
	const uint32_t behind = (uint32_t)(chunk - 1) & ~(uint32_t)offset;

	n--;
	return (n < behind ? n : behind) + 1;
}

SHMEMD_FN uint32_t gda_chunk(size_t offset)
{
	return (uint32_t)(offset >> shmemd_block.gda.chunk_log2);
}

/* The span of an address among the first n, which stay, or n. */
SHMEMD_FN unsigned int gda_span_of(const void *addr, unsigned int n)
{
	const struct shmemd_gda_span *span = shmemd_block.gda.spans;
	unsigned int i;

	SHMEMD_ROLLED
	for (i = 0; i < n; i++, span++)
		if (shmemd_in(span->base, span->bytes, addr, 1))
			break;
	return i;
}

/*
 * Buffers come and go meanwhile, with a length of 0 in between: base and length
 * belong together if the length is the same before and after.
 */
SHMEMD_FN int gda_buffer_has(const struct shmemd_gda_span *span,
			     const void *addr)
{
	const uint64_t bytes = shmemd_local_load64(&span->bytes);
	const uint64_t base = shmemd_local_load64(
		(const uint64_t *)(const void *)&span->base);

	return shmemd_in((const char *)(uintptr_t)base, bytes, addr, 1) &&
	       shmemd_local_load64(&span->bytes) == bytes;
}

/* The span of an address; NULL: NICs don't know it. */
SHMEMD_FN const struct shmemd_gda_span *gda_any_span_of(const void *addr)
{
	const struct shmemd_gda_span *span = shmemd_block.gda.spans;
	const unsigned int n = shmemd_block.gda.n_spans;
	unsigned int i = gda_span_of(addr, SHMEMD_GDA_SYMMETRIC);

	if (SHMEMD_LIKELY(i < SHMEMD_GDA_SYMMETRIC))
		return &span[i];
	SHMEMD_ROLLED
	for (; i < n; i++)
		if (gda_buffer_has(&span[i], addr))
			return &span[i];
	return NULL;
}

/* n bytes of this PE, as NIC nic knows them. */
SHMEMD_FN struct gda_side gda_local(uint32_t nic, const void *addr, uint32_t n)
{
	const struct shmemd_gda_span *span = gda_any_span_of(addr);
	struct gda_side side = { (uint64_t)(uintptr_t)addr, { 0, 0 }, 0 };
	size_t offset;

	if (!span)
		return side;
	offset = (uintptr_t)addr - (uintptr_t)span->base;
	side.key =
		span->keys[nic * (uint32_t)span->n_chunks + gda_chunk(offset)];
	side.bytes = gda_cut(gda_chunk_cut(n, offset), span->bytes - offset);
	return side;
}

/* The peer's copy of a symmetric object; callers have checked the address. */
SHMEMD_FN struct gda_side gda_remote(const struct shmemd_gda_queue *q,
				     const void *addr, uint32_t n)
{
	const unsigned int i = gda_span_of(addr, SHMEMD_GDA_SYMMETRIC - 1);
	const size_t offset =
		(uintptr_t)addr - (uintptr_t)shmemd_block.gda.spans[i].base;
	struct gda_side side;

	side.at = q->remote->base[i] + offset;
	side.key = q->remote->keys[i][gda_chunk(offset)];
	side.bytes = gda_chunk_cut(n, offset);
	return side;
}

/* Whether NICs know the first byte. */
SHMEMD_FN int gda_known(const void *addr)
{
	return gda_any_span_of(addr) != NULL;
}

#endif
