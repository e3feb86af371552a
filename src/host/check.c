/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/check.h"

#include "base/log.h"
#include "host/ctx.h"
#include "host/device.h"
#include "host/heap.h"

const char *shmemi_api(const char *api)
{
	return api[0] == 'p' && api[1] == 's' ? api + 1 : api;
}

void shmemi_check_up(const char *api)
{
	if (shmemi.guard & SHMEMI_GUARD_CHILD)
		shmemi_fatal("%s: called in a process that a PE has forked",
			     shmemi_api(api));
	if (shmemi.guard & SHMEMI_GUARD_DOWN)
		shmemi_fatal("%s: called before shmem_init or after "
			     "shmem_finalize",
			     shmemi_api(api));
	if (shmemi.guard & SHMEMI_GUARD_CHECK)
		shmemi_device_error_check();
}

static int checking(const char *api)
{
	shmemi_check_up(api);
	return shmemi.guard & SHMEMI_GUARD_CHECK;
}

void shmemi_check_pe(const char *api, const char *name, int pe, int n_pes)
{
	if (checking(api) && (pe < 0 || pe >= n_pes))
		shmemi_fatal("%s: %s is %d, expected 0 to %d", shmemi_api(api),
			     name, pe, n_pes - 1);
}

void shmemi_check_ctx(const char *api, shmem_ctx_t ctx)
{
	if (checking(api) && ctx != SHMEM_CTX_INVALID && !shmemi_ctx(ctx))
		shmemi_fatal("%s: ctx is %p, expected a context that "
			     "shmem_ctx_create made and that was not destroyed",
			     shmemi_api(api), (void *)ctx);
}

void shmemi_check_cmp(const char *api, int cmp)
{
	if (checking(api) && (cmp < SHMEM_CMP_EQ || cmp > SHMEM_CMP_GE))
		shmemi_fatal("%s: cmp is %d, expected one of SHMEM_CMP_*",
			     shmemi_api(api), cmp);
}

/* Bytes from a symmetric address to the end of its object's memory. */
static size_t room(const char *api, const char *name, const void *sym)
{
	size_t offset, bytes;
	int seg = shmemi_locate(sym, &offset);

	if (seg < 0)
		shmemi_fatal("%s: %s is %p, expected an address in the "
			     "symmetric heap or a global variable of the "
			     "program",
			     shmemi_api(api), name, sym);
	if (seg == CONDUIT_DATA)
		return shmemi.segment[seg].bytes - offset;
	bytes = shmemi_heap_room(sym);
	if (!bytes)
		shmemi_fatal("%s: %s is %p, in the symmetric heap but in no "
			     "block that is allocated",
			     shmemi_api(api), name, sym);
	return bytes;
}

void shmemi_check_sym(const char *api, const char *name, const void *sym,
		      size_t bytes)
{
	size_t have;

	if (!checking(api) || !bytes)
		return;
	have = room(api, name, sym);
	if (bytes > have)
		shmemi_fatal("%s: %zu bytes at %s %p, but only %zu are there",
			     shmemi_api(api), bytes, name, sym, have);
}

static int overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
	const char *p = a, *q = b;

	return a_bytes && b_bytes && p < q + b_bytes && q < p + a_bytes;
}

size_t shmemi_check_product(const char *api, size_t nelems, size_t esize)
{
	size_t bytes;

	if (__builtin_mul_overflow(nelems, esize, &bytes) ||
	    bytes > SIZE_MAX / 2)
		shmemi_fatal("%s: %zu elements of %zu bytes are more than an "
			     "address space holds",
			     shmemi_api(api), nelems, esize);
	return bytes;
}

static void check_target(const char *api, shmem_ctx_t ctx, int pe)
{
	if (ctx == SHMEM_CTX_INVALID)
		shmemi_fatal("%s: ctx is SHMEM_CTX_INVALID", shmemi_api(api));
	shmemi_check_ctx(api, ctx);
	shmemi_check_pe(api, "pe", pe, shmemi_ctx(ctx)->team->n_pes);
}

static void check_rma(const char *api, shmem_ctx_t ctx, const char *name,
		      const void *sym, const void *local, size_t nelems,
		      size_t esize, int pe)
{
	size_t bytes = shmemi_check_product(api, nelems, esize);

	check_target(api, ctx, pe);
	shmemi_check_sym(api, name, sym, bytes);
	if (local && shmemi_ctx_pe(ctx, pe) == shmemi.me &&
	    overlap(sym, bytes, local, bytes))
		shmemi_fatal("%s: dest and source overlap on PE %d: %zu bytes "
			     "at %p and %p",
			     shmemi_api(api), pe, bytes, sym, local);
}

void shmemi_check_rma(const char *api, shmem_ctx_t ctx, const char *name,
		      const void *sym, const void *local, size_t nelems,
		      size_t esize, int pe)
{
	if (checking(api))
		check_rma(api, ctx, name, sym, local, nelems, esize, pe);
	shmemi_trace(RMA, "%s: %s %p, %zu x %zu bytes, PE %d", shmemi_api(api),
		     name, sym, nelems, esize, pe);
}

void shmemi_check_amo(const char *api, shmem_ctx_t ctx, const char *name,
		      const void *sym, size_t bytes, int pe)
{
	if (checking(api)) {
		check_target(api, ctx, pe);
		shmemi_check_sym(api, name, sym, bytes);
		if ((uintptr_t)sym % bytes)
			shmemi_fatal("%s: %s is %p, expected a multiple of "
				     "%zu",
				     shmemi_api(api), name, sym, bytes);
	}
	shmemi_trace(AMO, "%s: %s %p, %zu bytes, PE %d", shmemi_api(api), name,
		     sym, bytes, pe);
}

void shmemi_check_coll(const char *api, const struct shmem_team *team,
		       const void *dest, size_t dest_bytes, const void *source,
		       size_t source_bytes, int in_place)
{
	if (checking(api)) {
		shmemi_check_sym(api, "dest", dest, dest_bytes);
		shmemi_check_sym(api, "source", source, source_bytes);
		if (!(in_place && dest == source) &&
		    overlap(dest, dest_bytes, source, source_bytes))
			shmemi_fatal("%s: dest %p and source %p overlap",
				     shmemi_api(api), dest, source);
	}
	shmemi_trace(COLL, "%s: dest %p, source %p, %zu bytes, %d PEs",
		     shmemi_api(api), dest, source, source_bytes, team->n_pes);
}

void shmemi_not_symmetric(const char *api, const void *addr, int pe)
{
	shmemi_fatal("%s: %p for PE %d is not in the symmetric heap and no "
		     "global variable of the program",
		     shmemi_api(api), addr, pe);
}
