/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A word and its signal that lie side by side, in either order, and others
 * nearby: whoever sees the signal sees the word that came with it, or a later
 * one, and what lies around them stays as it was. In each kind of memory.
 * PES: all
 */
#include "call.h"

enum { GROUPS = 256, ITEMS = 256, TURNS = 50, SLOT_WORDS = 8 };

/* Words of a slot: where the data go, and the signal; one store or two. */
static const struct place {
	size_t word, signal;
	int sig_op;
} places[] = {
	{ 2, 3, SHMEM_SIGNAL_SET }, { 3, 2, SHMEM_SIGNAL_SET },
	{ 3, 4, SHMEM_SIGNAL_SET }, { 2, 4, SHMEM_SIGNAL_SET },
	{ 2, 3, SHMEM_SIGNAL_ADD },
};

/* What comes with a turn's signal: never 0, and more each time. */
#define WORD_OF(turn) (3 * (uint64_t)(turn) + 1)

SHMEMX_FN uint64_t *signal_of(const struct gpu_call *c)
{
	return (uint64_t *)c->dest + c->bsize;
}

SHMEMX_FN void offer(const struct gpu_call *c, enum shmemd_scope s,
		     uint64_t turn)
{
	if (turn == 1)
		*c->counts = 0;
	if (gpu_my_index(s) == 0)
		*(uint64_t *)c->value = WORD_OF(turn);
}

SHMEMX_FN void look(const struct gpu_call *c, uint64_t turn)
{
	const volatile uint64_t *slot = (const volatile uint64_t *)c->dest;
	uint64_t word;

	shmem_signal_wait_until(signal_of(c), SHMEM_CMP_GE, turn);
	word = slot[c->nelems];
	*c->counts += word < WORD_OF(turn) || word % 3 != 1;
}

/* nelems, bsize: the words of a slot where data and signal go. */
#define PAIR_KERNEL(fn, SCOPE, ...) \
	SHMEMX_KERNEL(k_##fn, struct gpu_call, a) \
	{ \
		const struct gpu_call c = gpu_group(a, SCOPE); \
		for (uint64_t turn = 1; turn <= TURNS; turn++) { \
			offer(&c, SCOPE, turn); \
			fn(__VA_ARGS__(char *) c.dest + 8 * c.nelems, c.value, \
			   8, signal_of(&c), c.signal ? 1 : turn, c.sig_op, \
			   c.pe); \
			look(&c, turn); \
		} \
		gpu_quiet(&c); \
	} \
	GPU_LAUNCH(fn)

#define PAIRS(stem, WITH) \
	PAIR_KERNEL(shmem_##stem, SHMEMD_THREAD, GPU_##WITH) \
	PAIR_KERNEL(shmemx_##stem##_wave, SHMEMD_WAVE, GPU_##WITH) \
	PAIR_KERNEL(shmemx_##stem##_wg, SHMEMD_WG, GPU_##WITH)
PAIRS(putmem_signal, PLAIN)
PAIRS(ctx_putmem_signal, CTX)

static const struct gpu_row rows[] = {
	GPU_ENTRIES_3(putmem_signal, PLAIN, 1, 'u', pair)
		GPU_ENTRIES_3(ctx_putmem_signal, CTX, 1, 'u', pair)
};

static uint64_t data[GROUPS * SLOT_WORDS] __attribute__((aligned(64)));
static struct gpu_mem slots[3], values, counts;

/* What a slot's word is in the end, from fill on. */
static uint64_t want(const struct place *at, size_t word, int used)
{
	if (used && word == at->word)
		return WORD_OF(TURNS);
	return used && word == at->signal ? TURNS : 0;
}

static void check(const struct gpu_row *r, const struct gpu_mem *mem,
		  const struct place *at, size_t groups, size_t items)
{
	const uint64_t *words = (const uint64_t *)mem->host;

	gpu_mem_pull(&counts, items * sizeof(size_t));
	gpu_mem_pull(mem, mem->bytes);
	for (size_t i = 0; i < items; i++)
		if (((size_t *)counts.host)[i])
			gpu_fail("%s: item %zu saw %zu old words", r->name, i,
				 ((size_t *)counts.host)[i]);
	for (size_t i = 0; i < GROUPS * SLOT_WORDS; i++)
		if (words[i] !=
		    want(at, i % SLOT_WORDS, i / SLOT_WORDS < groups))
			gpu_fail("%s: word %zu of slot %zu is %#llx", r->name,
				 i % SLOT_WORDS, i / SLOT_WORDS,
				 (unsigned long long)words[i]);
}

static void test(const struct gpu_row *r, struct gpu_geometry geometry,
		 const struct gpu_mem *mem, const struct place *at)
{
	struct gpu_call c = gpu_call_new(r, (gpu_me + 1) % gpu_n);

	c.dest = mem->dev;
	c.slot = SLOT_WORDS * sizeof(uint64_t);
	c.value = values.dev;
	c.small_slot = sizeof(uint64_t);
	c.counts = (size_t *)counts.dev;
	c.nelems = at->word;
	c.bsize = at->signal;
	c.sig_op = at->sig_op;
	c.signal = at->sig_op == SHMEM_SIGNAL_ADD;
	gpu_mem_fill(mem, 0, mem->bytes);
	shmem_barrier_all();
	gpu_row_launch(r, geometry, &c);
	gpu_sync();
	shmem_barrier_all();
	check(r, mem, at, gpu_groups(r->scope, geometry),
	      (size_t)(geometry.n_wgs * geometry.n_items));
	shmem_barrier_all();
}

int main(void)
{
	gpu_begin();
	slots[0] = gpu_mem_new(sizeof(data));
	slots[2] = slots[1] = slots[0];
	slots[1].dev = (char *)shmemx_malloc_host(sizeof(data));
	slots[2].dev = (char *)data;
	if (!slots[1].dev)
		gpu_fail("no %zu bytes of the host heap", sizeof(data));
	values = gpu_mem_new(GROUPS * sizeof(uint64_t));
	counts = gpu_mem_new(ITEMS * sizeof(size_t));
	for (size_t i = 0; i < GPU_COUNT(rows); i++)
		for (size_t k = 0; k < GPU_COUNT(places); k++)
			for (size_t m = 0; m < GPU_COUNT(slots); m++)
				test(&rows[i], gpu_geometry(i + k), &slots[m],
				     &places[k]);
	return gpu_end();
}
