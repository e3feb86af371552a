/* SPDX-License-Identifier: BSD-3-Clause */
#include "oracle.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define NBLOCKS_MAX 1024
#define GRANULE SHMEMI_ALLOC_GRANULE

struct model {
	struct shmemi_alloc *alloc, *twin;
	size_t size_bytes, nblocks;
	struct {
		size_t offset, bytes;
	} blocks[NBLOCKS_MAX];
	const uint8_t *ops, *end;
};

#define require(condition, ...) \
	((condition) ? (void)0 : fail(#condition, __LINE__, __VA_ARGS__))

static void __attribute__((format(printf, 3, 4), noreturn))
fail(const char *condition, int line, const char *fmt, ...)
{
	__builtin_va_list args;

	fprintf(stderr, "oracle.c:%d: %s: ", line, condition);
	__builtin_va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	__builtin_va_end(args);
	fputc('\n', stderr);
	abort();
}

static uint8_t next_byte(struct model *m)
{
	return m->ops < m->end ? *m->ops++ : 0;
}

/* Small, page-like, any power of two and its neighbours, absurd. */
static size_t next_size(struct model *m)
{
	const uint8_t shape = next_byte(m), low = next_byte(m);

	switch (shape & 3) {
	case 0:
		return low;
	case 1:
		return (size_t)low << 4 | shape >> 4;
	case 2:
		return (size_t)next_byte(m) << 12 | (size_t)low << 4 |
		       shape >> 4;
	default:
		return ((size_t)1 << (shape >> 2)) + (size_t)(int8_t)low;
	}
}

static size_t rounded(size_t bytes)
{
	return (bytes + GRANULE - 1) & -(size_t)GRANULE;
}

/* The first block that starts at or above offset. */
static size_t model_at(const struct model *m, size_t offset)
{
	size_t i;

	for (i = 0; i < m->nblocks && m->blocks[i].offset < offset; i++)
		;
	return i;
}

static size_t gap_end(const struct model *m, size_t i)
{
	return i < m->nblocks ? m->blocks[i].offset : m->size_bytes;
}

static size_t gap_start(const struct model *m, size_t i)
{
	return i ? m->blocks[i - 1].offset + rounded(m->blocks[i - 1].bytes)
		 : 0;
}

static bool model_has_room(const struct model *m, size_t align, size_t bytes)
{
	size_t i, start, end;

	for (i = 0; i <= m->nblocks; i++) {
		start = gap_start(m, i);
		end = gap_end(m, i);
		start += -start & (align - 1);
		if (start <= end && end - start >= bytes)
			return true;
	}
	return false;
}

static void model_insert(struct model *m, size_t offset, size_t bytes)
{
	const size_t i = model_at(m, offset);

	require(offset >= gap_start(m, i), "offset %zu overlaps", offset);
	require(offset <= m->size_bytes, "offset %zu is outside", offset);
	require(bytes <= gap_end(m, i) - offset, "offset %zu overlaps", offset);
	memmove(&m->blocks[i + 1], &m->blocks[i],
		(m->nblocks - i) * sizeof(m->blocks[0]));
	m->blocks[i].offset = offset;
	m->blocks[i].bytes = bytes;
	m->nblocks++;
}

static void model_remove(struct model *m, size_t i)
{
	m->nblocks--;
	memmove(&m->blocks[i], &m->blocks[i + 1],
		(m->nblocks - i) * sizeof(m->blocks[0]));
}

static void do_get(struct model *m)
{
	const uint8_t shape = next_byte(m);
	const size_t align = (size_t)1 << (shape & 128 ? shape % 64 : 0);
	const size_t bytes = next_size(m);
	size_t offset = SIZE_MAX, twin_offset = SIZE_MAX;
	int rc;

	if (m->nblocks == NBLOCKS_MAX)
		return;
	rc = shmemi_alloc_get(m->alloc, align, bytes, &offset);
	require(rc == shmemi_alloc_get(m->twin, align, bytes, &twin_offset),
		"%d", rc);
	require(offset == twin_offset, "%zu != %zu", offset, twin_offset);
	if (!bytes) {
		require(rc == -EINVAL, "%d", rc);
		return;
	}
	if (rc) {
		require(rc == -ENOMEM, "%d", rc);
		require(!model_has_room(m, align, bytes),
			"%zu bytes by %zu were refused", bytes, align);
		return;
	}
	require(offset % align == 0, "%zu by %zu", offset, align);
	require(offset % GRANULE == 0, "%zu", offset);
	model_insert(m, offset, bytes);
}

/* A live block by index or, one time in four, any offset. */
static size_t next_offset(struct model *m)
{
	const uint8_t low = next_byte(m), high = next_byte(m);

	if (!m->nblocks || !(high & 3))
		return next_size(m);
	return m->blocks[((size_t)high << 6 | low) % m->nblocks].offset;
}

static bool model_is_live(const struct model *m, size_t offset, size_t *i)
{
	*i = model_at(m, offset);
	return *i < m->nblocks && m->blocks[*i].offset == offset;
}

static void do_put(struct model *m)
{
	const size_t offset = next_offset(m);
	const int rc = shmemi_alloc_put(m->alloc, offset);
	size_t i;

	require(rc == shmemi_alloc_put(m->twin, offset), "%d", rc);
	if (!model_is_live(m, offset, &i)) {
		require(rc == -EINVAL, "%d for a wild %zu", rc, offset);
		return;
	}
	require(!rc, "%d for a live %zu", rc, offset);
	model_remove(m, i);
	require(shmemi_alloc_put(m->alloc, offset) == -EINVAL,
		"double free of %zu", offset);
}

static void do_resize(struct model *m)
{
	const size_t offset = next_offset(m), bytes = next_size(m);
	const int rc = shmemi_alloc_resize(m->alloc, offset, bytes);
	bool fits;
	size_t i;

	require(rc == shmemi_alloc_resize(m->twin, offset, bytes), "%d", rc);
	if (!bytes || !model_is_live(m, offset, &i)) {
		require(rc == -EINVAL, "%d for %zu", rc, offset);
		return;
	}
	fits = bytes <= gap_end(m, i + 1) - offset;
	require(rc == (fits ? 0 : -ENOMEM), "%d", rc);
	if (fits)
		m->blocks[i].bytes = bytes;
}

static void do_find(struct model *m)
{
	const size_t offset = next_offset(m) + next_byte(m);
	const size_t i = model_at(m, offset + 1);
	size_t start = 0, bytes = 0;
	const int rc = shmemi_alloc_find(m->alloc, offset, &start, &bytes);

	if (!i || offset - m->blocks[i - 1].offset >= m->blocks[i - 1].bytes) {
		require(rc == -ENOENT, "%d for %zu", rc, offset);
		return;
	}
	require(!rc, "%d for %zu", rc, offset);
	require(start == m->blocks[i - 1].offset, "%zu", start);
	require(bytes == m->blocks[i - 1].bytes, "%zu", bytes);
	require(bytes == shmemi_alloc_bytes(m->alloc, start), "%zu", bytes);
}

static void do_grow(struct model *m)
{
	const size_t bytes = next_size(m);
	const int rc = shmemi_alloc_grow(m->alloc, bytes);

	require(rc == shmemi_alloc_grow(m->twin, bytes), "%d", rc);
	if (bytes > SIZE_MAX / 2 || (bytes & -GRANULE) < m->size_bytes) {
		require(rc == -EINVAL, "%d for %zu", rc, bytes);
		return;
	}
	require(!rc, "%d", rc);
	m->size_bytes = bytes & -GRANULE;
}

static void verify(const struct model *m)
{
	const char *wrong = alloc_check(m->alloc);
	struct shmemi_alloc_stats stats;
	size_t i, used_bytes = 0, largest_bytes = 0;

	require(!wrong, "%s", wrong);
	shmemi_alloc_stats(m->alloc, &stats);
	for (i = 0; i <= m->nblocks; i++) {
		if (gap_end(m, i) - gap_start(m, i) > largest_bytes)
			largest_bytes = gap_end(m, i) - gap_start(m, i);
		if (i < m->nblocks)
			used_bytes += rounded(m->blocks[i].bytes);
	}
	require(stats.used_bytes == used_bytes, "%zu", stats.used_bytes);
	require(stats.nlive == m->nblocks, "%zu", stats.nlive);
	require(stats.largest_free_bytes == largest_bytes, "%zu",
		stats.largest_free_bytes);
}

/* Everything is freed, from the middle outwards. */
static void drain(struct model *m)
{
	struct shmemi_alloc_stats stats;
	size_t i;

	while (m->nblocks) {
		i = m->nblocks / 2;
		require(!shmemi_alloc_put(m->alloc, m->blocks[i].offset),
			"%zu", m->blocks[i].offset);
		model_remove(m, i);
	}
	verify(m);
	shmemi_alloc_stats(m->alloc, &stats);
	require(stats.nfree == !!m->size_bytes, "%zu free blocks", stats.nfree);
}

void alloc_oracle_run(const uint8_t *ops, size_t nops_bytes)
{
	static void (*const calls[])(struct model *) = {
		do_get, do_put, do_get, do_resize, do_get, do_put, do_find,
		do_grow, do_get, do_put, do_get, do_resize, do_get, do_put,
		do_find, do_put,
	};
	static struct model m;

	m = (struct model){ .ops = ops, .end = ops + nops_bytes };
	m.size_bytes = next_size(&m) & -GRANULE & SIZE_MAX / 2;
	require(!shmemi_alloc_create(&m.alloc, m.size_bytes), "%zu",
		m.size_bytes);
	require(!shmemi_alloc_create(&m.twin, m.size_bytes), "%zu",
		m.size_bytes);
	while (m.ops < m.end) {
		calls[next_byte(&m) % 16](&m);
		if (m.nblocks < 64 || m.ops == m.end)
			verify(&m);
	}
	drain(&m);
	shmemi_alloc_destroy(m.alloc);
	shmemi_alloc_destroy(m.twin);
}
