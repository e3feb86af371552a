/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For the tests of waits: what a comparison of a type says, and kernels' side
 * of making one true on another PE.
 */
#ifndef GPU_P2P_H
#define GPU_P2P_H

#define SET_SLOT 64 /* bytes of 8 elements */

/* Sets an element on a PE as a neighbour does, from any type's bytes. */
SHMEMX_FN void gpu_poke(const struct gpu_call *c, size_t i)
{
	const size_t at = i * c->esize;

	if (c->esize == 8)
		shmem_uint64_atomic_set((uint64_t *)(c->dest + at),
					*(const uint64_t *)(c->value + at),
					c->pe);
	else
		shmem_uint32_atomic_set((uint32_t *)(c->dest + at),
					*(const uint32_t *)(c->value + at),
					c->pe);
}

/* One work-item of a group pokes the elements that `result` marks. */
SHMEMX_FN void gpu_poke_marked(const struct gpu_call *c, enum shmemd_scope s)
{
	if (gpu_my_index(s))
		return;
	for (size_t i = 0; i < 8; i++)
		if (c->result[i])
			gpu_poke(c, i);
}

static inline uint64_t p2p_wrap(const struct gpu_row *r, uint64_t v)
{
	return r->esize == 8 ? v : v & 0xffffffff;
}

static inline int p2p_order(const struct gpu_row *r, uint64_t a, uint64_t b)
{
	const uint64_t flip = r->kind == 's' ?
				      (uint64_t)1 << (r->esize * 8 - 1) :
				      0;

	a = p2p_wrap(r, a ^ flip);
	b = p2p_wrap(r, b ^ flip);
	return a < b ? -1 : a > b;
}

static inline int p2p_holds(const struct gpu_row *r, uint64_t a, int cmp,
			    uint64_t b)
{
	const int order = p2p_order(r, a, b);

	switch (cmp) {
	case SHMEM_CMP_EQ:
		return order == 0;
	case SHMEM_CMP_NE:
		return order != 0;
	case SHMEM_CMP_GT:
		return order > 0;
	case SHMEM_CMP_LE:
		return order <= 0;
	case SHMEM_CMP_LT:
		return order < 0;
	default:
		return order >= 0;
	}
}

/* A number at which signs and widths are told apart, or not. */
static inline uint64_t p2p_number(const struct gpu_row *r, uint64_t *state)
{
	static const uint64_t some[] = {
		0, 1, 2, ~(uint64_t)0, ~(uint64_t)1, (uint64_t)1 << 63,
		((uint64_t)1 << 63) - 1, (uint64_t)1 << 31, 0x7fffffff,
	};

	return p2p_wrap(r, some[gpu_below(state, GPU_COUNT(some))]);
}

/* One that satisfies the comparison with b, or does not. */
static inline uint64_t p2p_find(const struct gpu_row *r, uint64_t *state,
				int cmp, uint64_t b, int holds)
{
	uint64_t a;

	do
		a = p2p_number(r, state);
	while (p2p_holds(r, a, cmp, b) != holds);
	return a;
}

/* A number that some others compare to in both ways. */
static inline uint64_t p2p_bound(const struct gpu_row *r, uint64_t *state,
				 int cmp)
{
	for (;;) {
		const uint64_t b = p2p_number(r, state);
		int holds = 0, fails = 0;

		for (int i = 0; i < 40; i++)
			if (p2p_holds(r, p2p_number(r, state), cmp, b))
				holds = 1;
			else
				fails = 1;
		if (holds && fails)
			return b;
	}
}

static inline void p2p_set(const struct gpu_row *r, unsigned char *p,
			   uint64_t v)
{
	const uint32_t narrow = (uint32_t)v;

	if (r->esize == 8)
		memcpy(p, &v, sizeof(v));
	else
		memcpy(p, &narrow, sizeof(narrow));
}

#endif
