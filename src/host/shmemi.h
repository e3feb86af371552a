/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of this PE, and the translation of symmetric addresses. */
#ifndef SHMEMI_H
#define SHMEMI_H

#ifndef SHMEMI_NO_GENERIC
#define SHMEMI_NO_GENERIC
#endif
#pragma GCC visibility push(default)
#include <shmem.h>
#pragma GCC visibility pop

#include "conduits/conduit.h"
#include "host/env.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define visibility_hidden __attribute__((visibility("hidden")))

/* A public name of a function that is called by its profiling name. */
#define weak_alias(old, new) \
	extern __typeof(old) new \
		__attribute__((weak, alias(#old), visibility("default")))

/*
 * How the host of this PE reaches another PE, or itself: where that PE's
 * segments can be loaded and stored, NULL where not. What every transfer reads.
 */
struct shmemi_route {
	char *base[CONDUIT_NSEGMENTS];
};
_Static_assert(sizeof(struct shmemi_route) == 32, "an index is a shift");

/* Of a host's name, what messages show. */
#define SHMEMI_HOST_BYTES 64

/* What else is known of it. */
struct shmemi_peer {
	const struct conduit *conduit[CONDUIT_NSEGMENTS];
	struct conduit_ep *ep[CONDUIT_NSEGMENTS];
	char *device; /* its device memory as mapped here, for kernels */
	unsigned int registered; /* bits of segments that kernels may use */
	int node;		 /* the lowest PE on its node */
	char host[SHMEMI_HOST_BYTES];
};

struct shmemi_segment {
	char *base;
	size_t bytes;
};

/* Why the slow path is taken on each call; 0 on a running, unchecked PE. */
enum {
	SHMEMI_GUARD_DOWN = 1 << 0, /* not initialised */
	SHMEMI_GUARD_CHECK = 1 << 1,
	SHMEMI_GUARD_TRACE = 1 << 2,
	SHMEMI_GUARD_CHILD = 1 << 3,  /* forked from a PE; with DOWN */
	SHMEMI_GUARD_DEVICE = 1 << 4, /* the host can't touch device memory */
};

struct shmemi {
	unsigned int guard;
	int me;
	int n_pes;
	/* The conduit of PEs on other nodes; NULL: all are on this one. */
	struct conduit *net;
	struct shmemi_route *routes; /* by PE */
	struct shmemi_peer *peers;   /* by PE */
	struct shmemi_segment segment[CONDUIT_NSEGMENTS];
	enum conduit_segment heap; /* that shmem_malloc takes from */
	int same_device;	   /* all PEs that kernels reach are on one */
	int gda;		   /* kernels of all PEs drive NICs */
	struct shmemi_env env;
};

extern visibility_hidden struct shmemi shmemi;

/* The segment of this PE that holds addr, and where; -1 for none. */
static inline int shmemi_locate(const void *addr, size_t *offset)
{
	static const enum conduit_segment user[] = { CONDUIT_HEAP, CONDUIT_DATA,
						     CONDUIT_DEVICE };

	for (size_t i = 0; i < sizeof(user) / sizeof(*user); i++) {
		const struct shmemi_segment *seg = &shmemi.segment[user[i]];

		*offset = (size_t)((const char *)addr - seg->base);
		if (*offset < seg->bytes)
			return user[i];
	}
	return -1;
}

static __always_inline char *shmemi_direct_in(enum conduit_segment seg,
					      const void *addr, int pe)
{
	size_t offset = (size_t)((const char *)addr - shmemi.segment[seg].base);
	char *base = shmemi.routes[pe].base[seg];

	return base && offset < shmemi.segment[seg].bytes ? base + offset :
							    NULL;
}

/*
 * Where this PE loads and stores the peer's copy of a symmetric object; NULL
 * if the object is not symmetric or the peer out of reach. pe is valid.
 */
static __always_inline void *shmemi_direct(const void *addr, int pe)
{
	const struct shmemi_segment *heap = &shmemi.segment[CONDUIT_HEAP];
	size_t offset = (size_t)((const char *)addr - heap->base);
	char *base = shmemi.routes[pe].base[CONDUIT_HEAP];

	if (unlikely(offset >= heap->bytes)) {
		base = shmemi_direct_in(CONDUIT_DATA, addr, pe);
		return base ? base : shmemi_direct_in(CONDUIT_DEVICE, addr, pe);
	}
	return base ? base + offset : NULL;
}

#endif
