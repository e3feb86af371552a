/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges of blocks of random lengths, in random order and with gaps, on
 * WORLD and on random teams, from and to both heaps, static data and memory
 * that is not symmetric, of each PE its own kind, against what each PE sent.
 * PES: all
 */
#include "check.h"
#include <shmemx.h>

#define ROUNDS 150
#define MAX_PES 8
#define WORDS ((size_t)1 << 16) /* of each kind of memory */
#define GAP 0x5a

enum kind { HEAP, STATIC, PRIVATE, DEVICE, DEVICE_PRIVATE, KINDS };

/* One PE's side of an exchange; elements, by member. */
struct side {
	enum kind kind;
	size_t nelems[MAX_PES], offsets[MAX_PES];
};

struct round {
	shmem_team_t team;
	int pes[MAX_PES], n, mine;
	size_t esize;
	uint64_t salt;
	struct side source[MAX_PES], dest[MAX_PES]; /* by member */
};

static long static_words[2][WORDS];
static long *memory[2][KINDS];
static size_t *tables[2]; /* four of them, of the host and the device */
static unsigned char *image;
static int me, n;

static void memory_make(void)
{
	for (int i = 0; i < 2; i++) {
		memory[i][HEAP] = shmemx_malloc_host(WORDS * sizeof(long));
		memory[i][STATIC] = static_words[i];
		memory[i][PRIVATE] = malloc(WORDS * sizeof(long));
		memory[i][DEVICE] = shmemx_malloc_device(WORDS * sizeof(long));
		memory[i][DEVICE_PRIVATE] =
			shmemx_device_alloc(WORDS * sizeof(long));
	}
	tables[0] = malloc(4 * MAX_PES * sizeof(size_t));
	tables[1] = shmemx_malloc_device(4 * MAX_PES * sizeof(size_t));
	image = malloc(WORDS * sizeof(long));
}

static void memory_free(void)
{
	for (int i = 0; i < 2; i++) {
		shmem_free(memory[i][HEAP]);
		free(memory[i][PRIVATE]);
		shmem_free(memory[i][DEVICE]);
		shmemx_device_free(memory[i][DEVICE_PRIVATE]);
	}
	free(tables[0]);
	shmem_free(tables[1]);
	free(image);
}

/* Elements for a pair, in a round whose like is `style`; few on the whole. */
static size_t count(uint64_t *state, unsigned int style, size_t esize)
{
	const size_t most = WORDS * sizeof(long) / esize / MAX_PES / 2;

	switch (style) {
	case 0:
		return 0;
	case 1:
		return check_below(state, 64 / esize + 2);
	case 2:
		return check_below(state, 8) ? 0 : check_below(state, most);
	case 3:
		return check_below(state, 3) * check_below(state, 500);
	default:
		return check_below(state, most);
	}
}

/* Blocks one behind the other, in another order, at times with gaps. */
static void place(struct side *side, int size, uint64_t *state)
{
	int first = (int)check_below(state, (size_t)size);
	size_t end = check_below(state, 3);
	int back = check_random(state) % 2;

	for (int i = 0; i < size; i++) {
		int k = (first + (back ? size - i : i)) % size;

		side->offsets[k] = end;
		end += side->nelems[k] + check_below(state, 2) * 5;
	}
}

static void kinds_choose(struct round *r, uint64_t *state)
{
	enum kind source = check_below(state, KINDS);
	enum kind dest = check_below(state, KINDS);
	int alike = check_random(state) % 2;

	for (int i = 0; i < r->n; i++) {
		r->source[i].kind = alike ? source : check_below(state, KINDS);
		r->dest[i].kind = alike ? dest : check_below(state, KINDS);
	}
}

static void team_choose(struct round *r, uint64_t *state)
{
	int size = 1 + (int)check_below(state, (size_t)n);
	int most = size > 1 ? (n - 1) / (size - 1) : 1;
	int stride = 1 + (int)check_below(state, (size_t)most);
	int span = (size - 1) * stride;
	int start = (int)check_below(state, (size_t)(n - span));

	if (check_random(state) % 2) {
		start += span;
		stride = -stride;
	}
	r->n = size;
	r->mine = -1;
	for (int i = 0; i < size; i++) {
		r->pes[i] = start + i * stride;
		if (r->pes[i] == me)
			r->mine = i;
	}
	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size,
					  NULL, 0, &r->team),
		 0);
}

static void world_choose(struct round *r)
{
	r->team = SHMEM_TEAM_WORLD;
	r->n = n;
	r->mine = me;
	for (int i = 0; i < n; i++)
		r->pes[i] = i;
}

/* The same on all PEs. */
static void round_make(struct round *r, uint64_t *state)
{
	unsigned int style = (unsigned int)check_below(state, 5);

	if (check_random(state) % 2)
		world_choose(r);
	else
		team_choose(r, state);
	r->esize = check_random(state) % 2 ? sizeof(long) : 1;
	r->salt = check_random(state);
	for (int i = 0; i < r->n; i++)
		for (int k = 0; k < r->n; k++) {
			size_t nelems = count(state, style, r->esize);

			r->source[i].nelems[k] = nelems;
			r->dest[k].nelems[i] = nelems;
		}
	for (int i = 0; i < r->n; i++) {
		place(&r->source[i], r->n, state);
		place(&r->dest[i], r->n, state);
	}
	kinds_choose(r, state);
}

static unsigned char sends(const struct round *r, int from, int to, size_t i)
{
	return (unsigned char)(r->salt + (uint64_t)from * 61 +
			       (uint64_t)to * 7 + i + i / 251);
}

static void source_fill(const struct round *r)
{
	const struct side *s = &r->source[r->mine];

	memset(image, GAP, WORDS * sizeof(long));
	for (int k = 0; k < r->n; k++)
		for (size_t i = 0; i < s->nelems[k] * r->esize; i++)
			image[s->offsets[k] * r->esize + i] =
				sends(r, r->mine, k, i);
	shmemx_memcpy(memory[0][s->kind], image, WORDS * sizeof(long));
}

static void dest_expect(const struct round *r, unsigned char *want)
{
	const struct side *s = &r->dest[r->mine];

	memset(want, GAP, WORDS * sizeof(long));
	for (int k = 0; k < r->n; k++)
		for (size_t i = 0; i < s->nelems[k] * r->esize; i++)
			want[s->offsets[k] * r->esize + i] =
				sends(r, k, r->mine, i);
}

static int call(const struct round *r, long *dest, const long *source)
{
	const struct side *d = &r->dest[r->mine], *s = &r->source[r->mine];
	const size_t bytes = sizeof(d->nelems);
	size_t *t = tables[r->salt % 2];

	shmemx_memcpy(t, d->nelems, bytes);
	shmemx_memcpy(t + MAX_PES, d->offsets, bytes);
	shmemx_memcpy(t + 2 * MAX_PES, s->nelems, bytes);
	shmemx_memcpy(t + 3 * MAX_PES, s->offsets, bytes);
	if (r->esize == 1)
		return shmemx_alltoallvmem(r->team, dest, t, t + MAX_PES,
					   source, t + 2 * MAX_PES,
					   t + 3 * MAX_PES);
	return shmemx_alltoallv(r->team, dest, t, t + MAX_PES, source,
				t + 2 * MAX_PES, t + 3 * MAX_PES);
}

static void round_run(const struct round *r, unsigned char *want)
{
	long *source = memory[0][r->source[r->mine].kind];
	long *dest = memory[1][r->dest[r->mine].kind];

	source_fill(r);
	shmemx_memset(dest, GAP, WORDS * sizeof(long));
	CHECK_EQ(call(r, dest, source), 0);
	shmemx_memset(source, 0, WORDS * sizeof(long));
	dest_expect(r, want);
	shmemx_memcpy(image, dest, WORDS * sizeof(long));
	CHECK(!memcmp(image, want, WORDS * sizeof(long)));
}

static void no_team(void)
{
	const size_t zero[MAX_PES] = { 0 };

	CHECK(shmemx_alltoallvmem(SHMEM_TEAM_INVALID, NULL, zero, zero, NULL,
				  zero, zero) != 0);
	CHECK_EQ(shmemx_alltoallvmem(SHMEM_TEAM_WORLD, NULL, zero, zero, NULL,
				     zero, zero),
		 0);
}

int main(void)
{
	static struct round r;
	unsigned char *want = malloc(WORDS * sizeof(long));
	uint64_t state;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	state = check_seed();
	memory_make();
	no_team();
	for (int i = 0; i < ROUNDS && !check_failures; i++) {
		round_make(&r, &state);
		if (r.mine >= 0)
			round_run(&r, want);
		if (r.team != SHMEM_TEAM_WORLD && r.mine >= 0)
			shmem_team_destroy(r.team);
	}
	memory_free();
	free(want);
	return check_end();
}
