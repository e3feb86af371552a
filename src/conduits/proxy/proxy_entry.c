/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/proxy/proxy_ring.h"

#include <shmem/device/arch.h>

#include "base/log.h"
#include "base/order.h"
#include "host/segment.h"

_Static_assert(sizeof(struct shmemd_entry) == SHMEMD_ENTRY_BYTES, "a line");
_Static_assert(offsetof(struct shmemd_entry, kind) == 8, "kernels' layout");
_Static_assert(offsetof(struct shmemd_entry, op) == 9, "kernels' layout");
_Static_assert(offsetof(struct shmemd_entry, flags) == 10, "kernels' layout");
_Static_assert(offsetof(struct shmemd_entry, small) == 11, "kernels' layout");
_Static_assert(offsetof(struct shmemd_entry, pe) == 12, "kernels' layout");
_Static_assert(offsetof(struct shmemd_entry, dest) == 16, "kernels' layout");
_Static_assert(offsetof(struct shmemd_entry, a) == 24, "kernels' layout");
_Static_assert(offsetof(struct shmemd_entry, value) == 32, "kernels' layout");
_Static_assert(offsetof(struct shmemd_entry, b) == 40, "kernels' layout");
_Static_assert(sizeof(struct shmemd_cell) == SHMEMD_CELL_BYTES, "a line");
_Static_assert((int)SHMEMD_XOR == (int)CONDUIT_XOR &&
		       (int)SHMEMD_SET == (int)CONDUIT_SET &&
		       (int)SHMEMD_ADD == (int)CONDUIT_ADD,
	       "the same numbers");

/* Where my copy of what a kernel named lies: on a peer it lies there too. */
static struct shmemi_place place(int pe, uint64_t addr)
{
	const struct conduit_region *device = &shmemi_mine[CONDUIT_DEVICE];
	struct shmemi_place at = { .pe = pe };
	int seg = shmemi_locate((void *)(uintptr_t)addr, &at.offset);

	/* The sync blocks of teams lie behind the user's heap. */
	if (seg < 0) {
		at.offset = (size_t)(addr - (uintptr_t)device->base);
		seg = CONDUIT_DEVICE;
		if (at.offset >= device->bytes)
			shmemi_fatal("a kernel's transfer with PE %d on %s: no "
				     "symmetric object at 0x%llx",
				     pe, shmemi.peers[pe].host,
				     (unsigned long long)addr);
	}
	at.seg = (enum conduit_segment)seg;
	return at;
}

static char *carried(const struct proxy_ring *ring, size_t from)
{
	uint64_t behind = ring->next + 1 + from / SHMEMD_ENTRY_BYTES;

	return (char *)proxy_ring_entry(ring, behind) +
	       from % SHMEMD_ENTRY_BYTES;
}

/* The bytes of a put, as they lie together. */
struct span {
	const void *src;
	size_t bytes;
	size_t all_bytes;
};

static struct span next_span(const struct proxy_ring *ring,
			     const struct shmemd_entry *e)
{
	struct span span = { .all_bytes = e->b.local.bytes };
	size_t most = ring->piece_bytes;

	if (e->flags & SHMEMD_ENTRY_INLINE) {
		span.all_bytes = span.bytes = e->small;
		span.src = e->b.data;
		return span;
	}
	span.src = (char *)(uintptr_t)e->b.local.addr + ring->moved_bytes;
	if (e->flags & SHMEMD_ENTRY_CARRY) {
		span.src = carried(ring, ring->moved_bytes);
		/* It may go on at the ring's begin. */
		most = (size_t)((char *)&ring->entries[ring->n_slots] -
				(char *)span.src);
	}
	span.bytes = span.all_bytes - ring->moved_bytes;
	if (span.bytes > most)
		span.bytes = most;
	return span;
}

static void send_piece(struct proxy_ring *ring, const struct shmemd_entry *e,
		       struct span span)
{
	struct shmemi_place to = place(e->pe, e->dest + ring->moved_bytes);
	int flags = CONDUIT_NBI;

	if (e->flags & SHMEMD_ENTRY_WHOLE)
		flags |= CONDUIT_WHOLE;
	shmemi_far_put("a kernel's put", &ring->ctx, to, span.src, span.bytes,
		       flags);
}

/* The pieces before the one that a signal comes with must be there. */
static void send_last(struct proxy_ring *ring, const struct shmemd_entry *e,
		      struct span span)
{
	struct shmemi_place signal = place(e->pe, e->a.signal_addr),
			    to = signal;

	if (span.bytes)
		to = place(e->pe, e->dest + ring->moved_bytes);
	if (ring->moved_bytes)
		shmemi_far_fence("a kernel's put", &ring->ctx);
	shmemi_far_put_signal("a kernel's put with a signal", &ring->ctx, to,
			      span.src, span.bytes, signal, e->value,
			      (enum conduit_amo)e->op, CONDUIT_NBI);
}

static int put(struct proxy_ring *ring, const struct shmemd_entry *e)
{
	struct span span = next_span(ring, e);
	int last = ring->moved_bytes + span.bytes == span.all_bytes;

	if (last && e->kind == SHMEMD_ENTRY_PUT_SIGNAL)
		send_last(ring, e, span);
	else if (span.bytes)
		send_piece(ring, e, span);
	ring->started_bytes += span.bytes;
	ring->moved_bytes += span.bytes;
	ring->carried |= (e->flags & SHMEMD_ENTRY_CARRY) != 0;
	return last;
}

static int get(struct proxy_ring *ring, const struct shmemd_entry *e)
{
	size_t left = e->b.local.bytes - ring->moved_bytes;
	size_t bytes = left < ring->piece_bytes ? left : ring->piece_bytes;
	char *dst = (char *)(uintptr_t)e->b.local.addr;

	if (e->flags & SHMEMD_ENTRY_CELL)
		dst = (char *)&ring->cells[ring->next & (ring->n_slots - 1)];
	shmemi_far_get("a kernel's get", &ring->ctx, dst + ring->moved_bytes,
		       place(e->pe, e->dest + ring->moved_bytes), bytes,
		       CONDUIT_NBI);
	ring->started_bytes += bytes;
	ring->moved_bytes += bytes;
	return bytes == left;
}

static int amo(struct proxy_ring *ring, const struct shmemd_entry *e)
{
	uint64_t *cell = ring->cells[ring->next & (ring->n_slots - 1)].word;
	int fetches = e->flags & SHMEMD_ENTRY_CELL;

	if (fetches)
		*cell = 0;
	shmemi_far_amo("a kernel's atomic", &ring->ctx, (enum conduit_amo)e->op,
		       e->small, place(e->pe, e->dest), e->value, e->a.cond,
		       fetches ? cell : NULL, CONDUIT_NBI);
	return 1;
}

/* What was finished needs no order; mapped memory has that of stores. */
static int fence(struct proxy_ring *ring)
{
	if (ring->started)
		shmemi_far_fence("a kernel's fence", &ring->ctx);
	store_before_store();
	return 1;
}

/* By the numbers of entry kinds. */
static int run(struct proxy_ring *ring, const struct shmemd_entry *e)
{
	switch (e->kind) {
	case SHMEMD_ENTRY_PUT:
	case SHMEMD_ENTRY_PUT_SIGNAL:
		return put(ring, e);
	case SHMEMD_ENTRY_GET:
		return get(ring, e);
	case SHMEMD_ENTRY_AMO:
		return amo(ring, e);
	case SHMEMD_ENTRY_FENCE:
		return fence(ring);
	}
	shmemi_fatal("a kernel has left an unknown call, %u, to PE %d",
		     (unsigned int)e->kind, e->pe);
}

/* An entry, and the places behind that hold its bytes. */
static uint64_t places(const struct shmemd_entry *e)
{
	if (!(e->flags & SHMEMD_ENTRY_CARRY))
		return 1;
	return 1 +
	       (e->b.local.bytes + SHMEMD_ENTRY_BYTES - 1) / SHMEMD_ENTRY_BYTES;
}

int proxy_entry_start(struct proxy_ring *ring)
{
	const struct shmemd_entry *e = proxy_ring_entry(ring, ring->next);

	if (e->flags & SHMEMD_ENTRY_AFTER && !ring->moved_bytes)
		fence(ring);
	ring->started = 1;
	if (!run(ring, e))
		return 0;
	ring->moved_bytes = 0;
	ring->next += places(e);
	return 1;
}
