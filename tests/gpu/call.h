/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that each call one device routine, made from the rows of the tables.
 * Included once by a program, which is compiled for the CPU as C and for GPUs.
 *
 * In a launch, every group of the routine's scope (work-item, wave, work-group
 * or grid) calls it once: group g with slot g of each array, on the g-th PE
 * after `pe`, so that work-items of a wave differ in all their arguments.
 */
#ifndef GPU_CALL_H
#define GPU_CALL_H

#include "common.h"
#include <shmem/device.h>

struct gpu_call {
	int n, me, pe;
	int one;     /* only group 0 calls, as a collective needs */
	int same_pe; /* all groups call with `pe` */
	shmem_ctx_t ctx;
	shmem_team_t team;
	char *dest, *source, *result, *value, *cond;
	size_t slot, small_slot; /* bytes between groups: arrays, single values */
	size_t esize, dest_mod, source_mod; /* misalignment, in elements */
	size_t nelems, vary, bsize;
	ptrdiff_t dst, sst;
	uint64_t *sig_addr, signal;
	int sig_op, root, repeat;
	const int *cmps; /* of each group */
	const int *status; /* 8 of each group, as indices; or NULL */
	size_t *indices, *counts; /* counts: of each work-item */
};

/* A kernel, and what the tables say of the routine in it. */
struct gpu_row {
	const char *name, *body;
	enum shmemd_scope scope;
	size_t esize;
	int kind; /* of the element: 'u', 's' or 'f' */
	int ctx;
	int (*launch)(int n_wgs, int n_items, const struct gpu_call *call);
};

#define GPU_KIND(T) \
	((T)0.5 != (T)0 ? 'f' : (T)(-1) < (T)1 ? 's' : 'u')

SHMEMX_FN size_t gpu_my_item(void)
{
	return (size_t)shmemx_wg() * shmemx_nitems() + shmemx_item();
}

SHMEMX_FN size_t gpu_my_group(enum shmemd_scope s)
{
	const unsigned int wave = shmemx_wave_size();

	if (s == SHMEMD_THREAD)
		return gpu_my_item();
	if (s == SHMEMD_WAVE)
		return (size_t)shmemx_wg() * ((shmemx_nitems() + wave - 1) / wave) +
		       shmemx_item() / wave;
	return s == SHMEMD_WG ? shmemx_wg() : 0;
}

/* Index in the group. */
SHMEMX_FN unsigned int gpu_my_index(enum shmemd_scope s)
{
	if (s == SHMEMD_THREAD)
		return 0;
	if (s == SHMEMD_WAVE)
		return shmemx_lane();
	if (s == SHMEMD_WG)
		return shmemx_item();
	return (unsigned int)gpu_my_item();
}

/* Work-items of my group. */
SHMEMX_FN unsigned int gpu_my_size(enum shmemd_scope s)
{
	const unsigned int wave = shmemx_wave_size();
	const unsigned int rest = shmemx_nitems() - shmemx_item() / wave * wave;

	if (s == SHMEMD_THREAD)
		return 1;
	if (s == SHMEMD_WAVE)
		return rest < wave ? rest : wave;
	if (s == SHMEMD_WG)
		return shmemx_nitems();
	return shmemx_nwgs() * shmemx_nitems();
}

SHMEMX_FN int gpu_pe_of(const struct gpu_call *a, size_t group)
{
	const int pe = a->same_pe ? a->pe :
				    (int)((a->pe + group) % (size_t)a->n);

	return a->ctx == SHMEM_CTX_DEFAULT ? pe : a->n - 1 - pe;
}

/* The arguments of this work-item's group. */
SHMEMX_FN struct gpu_call gpu_group(struct gpu_call a, enum shmemd_scope s)
{
	const size_t g = gpu_my_group(s);

	a.pe = gpu_pe_of(&a, g);
	a.dest += g * a.slot + g % a.dest_mod * a.esize;
	a.source += g * a.slot + g % a.source_mod * a.esize;
	a.result += g * a.small_slot;
	a.value += g * a.small_slot;
	a.cond += g * a.small_slot;
	a.sig_addr += g;
	a.cmps += g;
	a.indices += g * 8;
	a.counts += gpu_my_item();
	if (a.status)
		a.status += g * 8;
	if (a.vary)
		a.nelems = (a.nelems + g) % a.vary;
	return a;
}

SHMEMX_FN void gpu_quiet(const struct gpu_call *c)
{
	if (c->ctx == SHMEM_CTX_DEFAULT)
		shmem_quiet();
	else
		shmem_ctx_quiet(c->ctx);
}

#define GPU_PLAIN
#define GPU_CTX c.ctx,
#define GPU_VALUE(T) (*(const T *)c.value)

#define GPU_CALL_PUT(f, T, ...) \
	f(__VA_ARGS__(T *)c.dest, (const T *)c.source, c.nelems, c.pe)
#define GPU_CALL_P(f, T, ...) f(__VA_ARGS__(T *)c.dest, GPU_VALUE(T), c.pe)
#define GPU_CALL_G(f, T, ...) \
	*(T *)c.result = f(__VA_ARGS__(const T *)c.source, c.pe)
#define GPU_CALL_IPUT(f, T, ...) \
	f(__VA_ARGS__(T *)c.dest, (const T *)c.source, c.dst, c.sst, \
	  c.nelems, c.pe)
#define GPU_CALL_IBPUT(f, T, ...) \
	f(__VA_ARGS__(T *)c.dest, (const T *)c.source, c.dst, c.sst, c.bsize, \
	  c.nelems, c.pe)
#define GPU_CALL_PUT_SIGNAL(f, T, ...) \
	f(__VA_ARGS__(T *)c.dest, (const T *)c.source, c.nelems, c.sig_addr, \
	  c.signal, c.sig_op, c.pe)
#define GPU_CALL_INC(f, T, ...) f(__VA_ARGS__(T *)c.dest, c.pe)
#define GPU_CALL_FETCH_INC(f, T, ...) \
	*(T *)c.result = f(__VA_ARGS__(T *)c.dest, c.pe)
#define GPU_CALL_FETCH_OP(f, T, ...) \
	*(T *)c.result = f(__VA_ARGS__(T *)c.dest, GPU_VALUE(T), c.pe)
#define GPU_CALL_CSWAP(f, T, ...) \
	*(T *)c.result = f(__VA_ARGS__(T *)c.dest, *(const T *)c.cond, \
			   GPU_VALUE(T), c.pe)
#define GPU_CALL_FETCH_NBI(f, T, ...) \
	f(__VA_ARGS__(T *)c.result, (const T *)c.source, c.pe)
#define GPU_CALL_FETCH_INC_NBI(f, T, ...) \
	f(__VA_ARGS__(T *)c.result, (T *)c.dest, c.pe)
#define GPU_CALL_FETCH_OP_NBI(f, T, ...) \
	f(__VA_ARGS__(T *)c.result, (T *)c.dest, GPU_VALUE(T), c.pe)
#define GPU_CALL_CSWAP_NBI(f, T, ...) \
	f(__VA_ARGS__(T *)c.result, (T *)c.dest, *(const T *)c.cond, \
	  GPU_VALUE(T), c.pe)

/* One routine in a kernel, and what launches it. */
#define GPU_KERNEL(fn, SCOPE, SHAPE, WITH, T) \
	SHMEMX_KERNEL(k_##fn, struct gpu_call, a) \
	{ \
		struct gpu_call c = gpu_group(a, SCOPE); \
		GPU_CALL_##SHAPE(fn, T, GPU_##WITH); \
		gpu_quiet(&c); \
	} \
	GPU_LAUNCH(fn)
#define GPU_LAUNCH(fn) \
	static int l_##fn(int n_wgs, int n_items, const struct gpu_call *call) \
	{ \
		return shmemx_launch(SHMEMX_KERNEL_REF(k_##fn), n_wgs, \
				     n_items, call, sizeof(*call), NULL); \
	}
#define GPU_ENTRY(fn, SCOPE, WITH, esize, kind, body) \
	{ #fn, #body, SCOPE, esize, kind, GPU_IS_##WITH, l_##fn },
#define GPU_IS_PLAIN 0
#define GPU_IS_CTX 1

/* The same in the scopes that a row has. */
#define GPU_KERNELS_1(stem, SHAPE, WITH, T) \
	GPU_KERNEL(shmem_##stem, SHMEMD_THREAD, SHAPE, WITH, T)
#define GPU_KERNELS_3(stem, SHAPE, WITH, T) \
	GPU_KERNELS_1(stem, SHAPE, WITH, T) \
	GPU_KERNEL(shmemx_##stem##_wave, SHMEMD_WAVE, SHAPE, WITH, T) \
	GPU_KERNEL(shmemx_##stem##_wg, SHMEMD_WG, SHAPE, WITH, T)
#define GPU_ENTRIES_1(stem, WITH, esize, kind, body) \
	GPU_ENTRY(shmem_##stem, SHMEMD_THREAD, WITH, esize, kind, body)
#define GPU_ENTRIES_3(stem, WITH, esize, kind, body) \
	GPU_ENTRIES_1(stem, WITH, esize, kind, body) \
	GPU_ENTRY(shmemx_##stem##_wave, SHMEMD_WAVE, WITH, esize, kind, body) \
	GPU_ENTRY(shmemx_##stem##_wg, SHMEMD_WG, WITH, esize, kind, body)

/* Work-groups and their work-items; test i takes one of them. */
struct gpu_geometry {
	int n_wgs, n_items;
};

static inline struct gpu_geometry gpu_geometry(size_t i)
{
	static const struct gpu_geometry all[] = {
		{ 1, 64 }, { 1, 1 }, { 2, 31 }, { 1, 100 }, { 1, 256 },
	};

	return all[i % GPU_COUNT(all)];
}

struct gpu_ask {
	unsigned int *wave_size;
};

SHMEMX_KERNEL(gpu_ask_wave, struct gpu_ask, a)
{
	if (shmemx_item() == 0)
		*a.wave_size = shmemx_wave_size();
}

static inline size_t gpu_wave_size(void)
{
	static unsigned int size;
	struct gpu_ask ask;

	if (size)
		return size;
	ask.wave_size = (unsigned int *)shmemx_device_alloc(sizeof(size));
	GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(gpu_ask_wave), 1, 1, &ask,
				   sizeof(ask), NULL), 0);
	gpu_sync();
	shmemx_memcpy(&size, ask.wave_size, sizeof(size));
	shmemx_device_free(ask.wave_size);
	return size;
}

static inline size_t gpu_groups(enum shmemd_scope s, struct gpu_geometry g)
{
	const size_t wave = gpu_wave_size();

	if (s == SHMEMD_THREAD)
		return (size_t)g.n_wgs * (size_t)g.n_items;
	if (s == SHMEMD_WAVE)
		return (size_t)g.n_wgs * (((size_t)g.n_items + wave - 1) / wave);
	return s == SHMEMD_WG ? (size_t)g.n_wgs : 1;
}

/* The group of work-item i of the grid. */
static inline size_t gpu_group_of(enum shmemd_scope s, struct gpu_geometry g,
				  size_t i)
{
	const size_t wave = gpu_wave_size(), items = (size_t)g.n_items;

	if (s == SHMEMD_THREAD)
		return i;
	if (s == SHMEMD_WAVE)
		return i / items * ((items + wave - 1) / wave) +
		       i % items / wave;
	return s == SHMEMD_WG ? i / items : 0;
}

/* Arguments with what every call needs. */
static inline struct gpu_call gpu_call_new(const struct gpu_row *r, int pe)
{
	static uint64_t none;
	char *nowhere = (char *)&none;
	struct gpu_call c;

	memset(&c, 0, sizeof(c));
	c.dest = c.source = c.result = c.value = c.cond = nowhere;
	c.sig_addr = &none;
	c.cmps = (const int *)&none;
	c.indices = c.counts = (size_t *)&none;
	c.n = gpu_n;
	c.me = gpu_me;
	c.pe = pe;
	c.ctx = r->ctx ? gpu_ctx : SHMEM_CTX_DEFAULT;
	c.esize = r->esize;
	c.dest_mod = c.source_mod = 1;
	c.dst = c.sst = 1;
	c.bsize = 1;
	c.repeat = 1;
	return c;
}

static inline void gpu_row_launch(const struct gpu_row *r,
				  struct gpu_geometry g,
				  const struct gpu_call *c)
{
	int error = r->launch(g.n_wgs, g.n_items, c);

	if (error)
		gpu_fail("%s: launch of %d x %d failed: %d", r->name, g.n_wgs,
			 g.n_items, error);
	gpu_called(r->name);
}

#endif
