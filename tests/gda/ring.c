/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts and gets by queues of a NIC: of all lengths, from and to all kinds of
 * memory, cut into pieces in order; rings that wrap and are full, by one item
 * and by waves at once; several queues for a PE.
 */
#include "ring.h"

enum { ITEMS = 128, SLICE = 512, ROUNDS = 40 };

static char *heap(size_t at)
{
	return ring.memory[0][SHMEMD_GDA_DEVICE] + at;
}

static unsigned char byte_of(size_t i, unsigned int salt)
{
	return (unsigned char)(i * 7 + i / 251 + salt);
}

static void fill(char *p, size_t bytes, unsigned int salt)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (char)byte_of(i, salt);
}

static void check_bytes(const char *p, size_t bytes, unsigned int salt)
{
	for (size_t i = 0; i < bytes; i++)
		CHECK((unsigned char)p[i] == byte_of(i, salt));
}

/* Lengths from 1 on, blocking or not, by each item for itself. */
static void kernel_lengths(const void *args)
{
	const size_t i = shmemd_item(), n = 1 + i * 3;
	char *mine = heap(i * SLICE), mark = (char)i, got = 0;
	const int pe = 1 + (int)i % 3;
	char back[SLICE];

	(void)args;
	far_dev_put(SHMEMD_THREAD, SHMEM_CTX_DEFAULT, mine, mine, n, pe,
		    (int)i & 1);
	far_dev_p(SHMEM_CTX_DEFAULT, mine + SLICE - 1, (uint64_t)mark, 1, pe);
	far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
	check_bytes((char *)ring_theirs(pe, mine), n, (unsigned int)i);
	/* Back into memory that no NIC knows, and into the heap. */
	far_dev_get(SHMEMD_THREAD, SHMEM_CTX_DEFAULT, back, mine, n, pe, 0);
	check_bytes(back, n, (unsigned int)i);
	memset(mine, 0, n);
	far_dev_get(SHMEMD_THREAD, SHMEM_CTX_DEFAULT, mine, mine, n, pe,
		    (int)i & 2);
	far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
	check_bytes(mine, n, (unsigned int)i);
	got = (char)far_dev_g(SHMEM_CTX_DEFAULT, mine + SLICE - 1, 1, pe);
	CHECK(got == mark);
}

static void scene_lengths(void)
{
	for (unsigned int queues = 1; queues <= 4; queues *= 4)
		for (unsigned int places = 16; places <= 1024; places *= 64) {
			ring_begin(places, queues);
			for (size_t i = 0; i < ITEMS; i++)
				fill(heap(i * SLICE), SLICE - 1,
				     (unsigned int)i);
			ring_run(kernel_lengths, 1, ITEMS);
			ring_end();
		}
}

/* Elements of all sizes, by many items to one word of each size. */
static void kernel_words(const void *args)
{
	const size_t i = shmemd_item();
	const uint64_t v = 0x0123456789abcdef + i;
	uint64_t *own = (uint64_t *)heap((shmemd_wg() * ITEMS + i) * 64);

	(void)args;
	for (unsigned int bytes = 1; bytes <= 8; bytes *= 2) {
		char *at = heap(i * 64 + 8 * bytes);
		const uint64_t mask = ~(uint64_t)0 >> (64 - 8 * bytes);

		far_dev_p(SHMEM_CTX_DEFAULT, at, v, bytes, 2);
		CHECK(far_dev_g(SHMEM_CTX_DEFAULT, at, bytes, 2) == (v & mask));
	}
	far_dev_store64(own, i, 3);
	far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
	CHECK(*(uint64_t *)ring_theirs(3, own) == i);
}

static void scene_words(void)
{
	ring_begin(16, 1);
	ring_run(kernel_words, 2, ITEMS);
	ring_end();
}

/* A group's call, from unknown memory: all of the group copy. */
static char unknown[8 * CHUNK];

static void kernel_group(const void *args)
{
	char *to = heap(8 * CHUNK);
	const int first = shmemd_item() == 0;

	(void)args;
	far_dev_put(SHMEMD_WG, SHMEM_CTX_DEFAULT, to + 3, unknown + 1, 5000, 1,
		    0);
	far_dev_quiet(SHMEMD_WG, SHMEM_CTX_DEFAULT);
	if (first) {
		check_bytes((char *)ring_theirs(1, to) + 3, 5000, 9);
		memset(unknown, 0, sizeof(unknown));
	}
	far_dev_get(SHMEMD_WG, SHMEM_CTX_DEFAULT, unknown + 5, to + 3, 5000, 1,
		    0);
	check_bytes(unknown + 5, 5000, 9);
	far_dev_put_signal(SHMEMD_WG, SHMEM_CTX_DEFAULT, to + CHUNK * 3,
			   unknown + 5, 5000, (uint64_t *)heap(0), 77,
			   SHMEM_SIGNAL_SET, 2, 0);
	if (first) {
		far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
		CHECK(*(uint64_t *)ring_theirs(2, heap(0)) == 77);
		check_bytes((char *)ring_theirs(2, to) + CHUNK * 3, 5000, 9);
	}
}

/* The signal is the last of its queue. */
static void check_signal_last(int pe, uint64_t *sig)
{
	const struct ring_queue *r = ring_queue_of(1, pe, 0);
	const struct gda_verbs_entry *e = &r->log[(r->taken - 1) % LOG];

	CHECK(e->remote == (uint64_t)(uintptr_t)ring_theirs(pe, sig));
}

static void scene_group(void)
{
	for (int items = 1; items <= 200; items += 66) {
		ring_begin(32, 1);
		fill(unknown + 1, 5000, 9);
		ring_run(kernel_group, 1, items);
		check_signal_last(2, (uint64_t *)heap(0));
		ring_end();
	}
}

/* Pieces: no longer than a message, in no two chunks, each after the other. */
static void kernel_long(const void *args)
{
	char *to = heap(20 * CHUNK + 100), *from = heap(4 * CHUNK + 1000);

	(void)args;
	far_dev_put_signal(SHMEMD_WAVE, SHMEM_CTX_DEFAULT, to, from, 3 * CHUNK,
			   (uint64_t *)heap(8), 5, SHMEM_SIGNAL_ADD, 1, 0);
	CHECK(*(uint64_t *)ring_theirs(1, heap(8)) == 5);
	check_bytes((char *)ring_theirs(1, to), 3 * CHUNK, 3);
}

static void scene_long(void)
{
	const struct ring_queue *r;
	uint64_t next, i;

	ring_begin(16, 1);
	fill(heap(4 * CHUNK + 1000), 3 * CHUNK, 3);
	ring_run(kernel_long, 1, 64);
	r = ring_queue_of(1, 1, 0);
	next = (uint64_t)(uintptr_t)ring_theirs(1, heap(20 * CHUNK + 100));
	for (i = 0; i + 1 < r->taken; i++) {
		CHECK(r->log[i].remote == next && r->log[i].bytes <= 3000);
		next += r->log[i].bytes;
	}
	CHECK(i >= 7 && i <= 14 && r->log[i].kind == GDA_ADD);
	ring_end();
}

/* A registered buffer, longer than what is known of it: by hand and by cell. */
static void kernel_buffer(const void *args)
{
	char *from = ring.spans[SHMEMD_GDA_SYMMETRIC].base;

	(void)args;
	far_dev_put(SHMEMD_THREAD, SHMEM_CTX_DEFAULT, heap(CHUNK), from,
		    2 * CHUNK + 300, 1, 0);
	far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
	check_bytes((char *)ring_theirs(1, heap(CHUNK)), 2 * CHUNK + 300, 4);
	memset(from, 0, 2 * CHUNK + 300);
	far_dev_get(SHMEMD_THREAD, SHMEM_CTX_DEFAULT, from, heap(CHUNK),
		    2 * CHUNK + 300, 1, 0);
	check_bytes(from, 2 * CHUNK + 300, 4);
}

static void scene_buffer(void)
{
	ring_begin(16, 1);
	fill(ring.spans[SHMEMD_GDA_SYMMETRIC].base, 2 * CHUNK + 300, 4);
	ring_run(kernel_buffer, 1, 1);
	ring_end();
}

/* Many more entries than places, of all items at once, with results between. */
static void kernel_flood(const void *args)
{
	const size_t i = shmemd_wg() * shmemd_nitems() + shmemd_item();
	uint64_t *words = (uint64_t *)heap(CHUNK) + i * ROUNDS;

	(void)args;
	for (size_t k = 0; k < ROUNDS; k++) {
		const int pe = 1 + (int)(i + k) % 3;

		far_dev_p(SHMEM_CTX_DEFAULT, words + k, i * 1000 + k, 8, pe);
		if ((i + k) % 4 == 0)
			CHECK(far_dev_g(SHMEM_CTX_DEFAULT, words + k, 8, pe) ==
			      i * 1000 + k);
		if ((i + k) % 5 == 0)
			far_dev_put(SHMEMD_THREAD, SHMEM_CTX_DEFAULT, words + k,
				    words + k, 8, pe, 0);
	}
}

/* Whoever puts the word again puts what is here: 0. */
static void check_flood(size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < ROUNDS; k++) {
			const uint64_t *word = ring_theirs(
				1 + (int)(i + k) % 3,
				(uint64_t *)heap(CHUNK) + i * ROUNDS + k);

			CHECK(*word == ((i + k) % 5 ? i * 1000 + k : 0));
		}
}

static void kernel_quiet(const void *args)
{
	(void)args;
	far_dev_quiet(SHMEMD_WG, SHMEM_CTX_DEFAULT);
}

static void scene_flood(void)
{
	for (unsigned int queues = 1; queues <= 2; queues++) {
		ring_begin(16, queues);
		ring_run(kernel_flood, 1, 1);
		ring_run(kernel_flood, 3, 150);
		ring_run(kernel_quiet, 1, 64);
		check_flood(450);
		ring_end();
	}
}

/* Work-groups have queues by their numbers, single items the first. */
static void kernel_several(const void *args)
{
	(void)args;
	if (shmemd_item())
		return;
	far_dev_p(SHMEM_CTX_DEFAULT, heap(shmemd_wg() * 8), shmemd_wg(), 8, 1);
	far_dev_p(CTX(SERIAL), heap(512 + shmemd_wg() * 8), 1, 8, 1);
}

static void scene_several(void)
{
	ring_begin(64, 4);
	ring_run(kernel_several, 6, 2);
	ring_run(kernel_quiet, 1, 1);
	for (unsigned int i = 0; i < 4; i++) {
		CHECK(ring_queue_of(1, 1, i)->taken == 1 + (i < 2));
		CHECK(!ring_queue_of(SERIAL, 1, i) == (i != 0));
	}
	ring_end();
}

static void scenes(void)
{
	scene_lengths();
	scene_words();
	scene_group();
	scene_long();
	scene_buffer();
	scene_flood();
	scene_several();
}

int main(void)
{
	return ring_main(scenes);
}
