/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conduit interface: how bytes and atomics reach a PE.
 *
 * A conduit is a table of the rows below, in bytes and enums only; typed,
 * strided and collective calls are built above it. A row that a conduit
 * leaves out is filled with a stub that returns -ENOSYS, and a table whose
 * capability bits and rows disagree is refused, so callers never test for
 * NULL. Every row but probe returns 0 or a negative errno; it logs why it
 * failed, with the peer it is about, and its caller does not. -ENOSYS of a
 * stub is not logged: the capability bits have said so.
 *
 * An address on another PE is a segment of that PE and an offset in it. Four
 * things have a lifetime, and who creates one destroys it: the conduit
 * (open/close), a region (alloc/free here, import/forget of a peer's), an
 * endpoint, which stands for a peer (connect/disconnect), and a queue, which
 * stands for a context (queue_open/queue_close). Rows of one endpoint and, but
 * for a private one, of one queue may be called from several threads at once.
 *
 * Two kinds of conduits. One that maps has no queues: its data rows have taken
 * effect when they return, but for plain stores, which the caller orders. One
 * of the network (CONDUIT_CAP_NET) has: its operations belong to a queue, which
 * fence orders and quiet completes.
 */
#ifndef CONDUIT_H
#define CONDUIT_H

#include <stddef.h>
#include <stdint.h>

/* Host heap, static data, the library's own blocks, device memory. */
enum conduit_segment {
	CONDUIT_HEAP,
	CONDUIT_DATA,
	CONDUIT_SYNC,
	CONDUIT_DEVICE,
};
#define CONDUIT_NSEGMENTS 4

enum conduit_amo {
	CONDUIT_FETCH,
	CONDUIT_SET,
	CONDUIT_SWAP,
	CONDUIT_CSWAP,
	CONDUIT_ADD,
	CONDUIT_AND,
	CONDUIT_OR,
	CONDUIT_XOR,
};

enum {
	CONDUIT_CAP_ALLOC = 1 << 0, /* can make memory that peers may import */
	CONDUIT_CAP_MAP = 1 << 1, /* import maps for loads and stores */
	CONDUIT_CAP_RMA = 1 << 2,
	CONDUIT_CAP_AMO = 1 << 3,
	CONDUIT_CAP_ADOPT = 1 << 4,
	CONDUIT_CAP_NET = 1 << 5, /* has a card and queues; does not map */
};

/* Of put, get, amo and put_signal. */
enum {
	/*
	 * Returns at once: src, dst and old belong to the operation until a
	 * quiet of its queue.
	 */
	CONDUIT_NBI = 1 << 0,
	/*
	 * put: who looks sees each aligned word of 8 bytes as it was or as it
	 * will be. src, offset and bytes are multiples of 8.
	 */
	CONDUIT_WHOLE = 1 << 1,
};

/* Of queue_open: what is known of a queue's use. */
enum {
	CONDUIT_QUEUE_OWN = 1 << 0, /* waits for nobody else's operations */
	CONDUIT_QUEUE_PRIVATE = 1 << 1, /* one thread's */
};

#define CONDUIT_BLOB_BYTES 80

/* What publish may write at most. */
#define CONDUIT_CARD_BYTES 4096

struct conduit;
struct conduit_ep;
struct conduit_queue;

/* What users have set that a conduit goes by; valid from open to close. */
struct conduit_settings {
	int me;
	const char *host; /* this PE's, for messages */
	int n_pes;
	int timeout_s; /* a peer that is silent for longer is lost */
	int progress_thread;
	int device_atomics; /* of the network device: not coherent with CPUs */
	int net_heap; /* the conduit of the network makes the host heap */
};
extern struct conduit_settings conduit_settings;

/*
 * Memory of this PE, or an import of a peer's.
 *
 * base      host memory: alloc: where it shall be; import: where it shall be
 *           mapped. Both are page-aligned addresses in a range that the
 *           caller has reserved. Device memory: where alloc or import has
 *           put it.
 * bytes     a multiple of the page size
 * huge      alloc: 1 wants huge pages and fails without, 0 takes none,
 *           -1 takes what the system offers
 * handle    the conduit's own
 */
struct conduit_region {
	char *base;
	size_t bytes;
	int huge;
	int handle;
};

/* What is known of a peer; host is for messages. */
struct conduit_peer {
	int pe;
	int same_node;
	const char *host;
};

/*
 * One row per operation: (name, parameters, capability that promises it).
 *
 * probe      How well this conduit reaches a segment of the peer: 0 is not at
 *            all, a larger score is better. No side effects; may be called
 *            before open.
 * open       Once, before all below but adopt. close: no row is called after
 *            it, until the next open.
 * alloc      Backs [base, base + bytes) with memory that peers can import. It
 *            reads as zero and takes no space until it is touched.
 * free       Takes alloc's memory away and leaves the addresses reserved.
 * adopt      Gives existing private memory at base, such as static data, what
 *            alloc's memory has; its content stays. It lasts as long as the
 *            process. Called before open, and before threads exist.
 * export     Writes what import needs into blob[CONDUIT_BLOB_BYTES].
 * import     Maps the peer's region at region->base. forget undoes it and
 *            leaves the addresses reserved.
 * publish    This PE's own segments; one without base or bytes is none. Writes
 *            what peers need to connect into card, *bytes of it, which is its
 *            room before. Once between open and close, and only if some PE is
 *            on another node.
 * connect    Makes the endpoint to a peer for the segments that this conduit
 *            was chosen for; the others have no bytes. Those of a conduit that
 *            maps are imported and stay until disconnect. One of the network
 *            gets the peer's card, and regions without base; it reaches out
 *            when the endpoint is first used.
 * disconnect After that of the last peer nothing comes from peers any more.
 * queue_open options: CONDUIT_QUEUE_*. queue_close: it is quiet.
 *
 * put        Returns when src may be reused. The bytes may arrive later and in
 *            any order; see fence and quiet. src, dst, old: any memory of this
 *            process, of the device too.
 * get        Returns when dst holds the bytes.
 * amo        Atomic against all amo of the same size by any PE and conduit, and
 *            against atomics of the owner's processors, in host memory, or of
 *            its device, in device memory. bytes is 4 or 8, and so much is
 *            written to old, the value before; NULL: it is not wanted, and the
 *            row may return before it takes effect.
 * put_signal put, then SET or ADD of a signal: whoever sees the signal sees
 *            the bytes.
 * fence      Later rows of this queue take effect on a peer after earlier ones.
 * quiet      Earlier rows of this queue have taken effect and are visible: all
 *            of them, or with ep not NULL those to that peer.
 * progress   Moves on what is under way, of this PE and of peers here, without
 *            waiting. 1 if there was something to do, else 0.
 */
#define CONDUIT_OPS(OP) \
	OP(probe, \
	   (const struct conduit_peer *peer, enum conduit_segment seg), 0) \
	OP(open, (struct conduit *conduit), 0) \
	OP(close, (struct conduit *conduit), 0) \
	OP(alloc, (struct conduit_region *region), CONDUIT_CAP_ALLOC) \
	OP(adopt, (struct conduit_region *region), CONDUIT_CAP_ADOPT) \
	OP(free, (struct conduit_region *region), CONDUIT_CAP_ALLOC) \
	OP(export, (const struct conduit_region *region, void *blob), \
	   CONDUIT_CAP_ALLOC) \
	OP(import, \
	   (const struct conduit_peer *peer, struct conduit_region *region, \
	    const void *blob), \
	   CONDUIT_CAP_MAP) \
	OP(forget, (struct conduit_region *region), CONDUIT_CAP_MAP) \
	OP(publish, \
	   (const struct conduit_region *mine, void *card, size_t *bytes), \
	   CONDUIT_CAP_NET) \
	OP(connect, \
	   (const struct conduit_peer *peer, \
	    const struct conduit_region *regions, const void *card, \
	    struct conduit_ep **ep), \
	   CONDUIT_CAP_RMA) \
	OP(disconnect, (struct conduit_ep *ep), CONDUIT_CAP_RMA) \
	OP(queue_open, (int options, struct conduit_queue **q), \
	   CONDUIT_CAP_NET) \
	OP(queue_close, (struct conduit_queue *q), CONDUIT_CAP_NET) \
	OP(put, \
	   (struct conduit_queue *q, struct conduit_ep *ep, \
	    enum conduit_segment seg, size_t offset, const void *src, \
	    size_t bytes, int flags), \
	   CONDUIT_CAP_RMA) \
	OP(get, \
	   (struct conduit_queue *q, struct conduit_ep *ep, void *dst, \
	    enum conduit_segment seg, size_t offset, size_t bytes, int flags), \
	   CONDUIT_CAP_RMA) \
	OP(amo, \
	   (struct conduit_queue *q, struct conduit_ep *ep, \
	    enum conduit_amo op, size_t bytes, enum conduit_segment seg, \
	    size_t offset, uint64_t operand, uint64_t cond, void *old, \
	    int flags), \
	   CONDUIT_CAP_AMO) \
	OP(put_signal, \
	   (struct conduit_queue *q, struct conduit_ep *ep, \
	    enum conduit_segment seg, size_t offset, const void *src, \
	    size_t bytes, enum conduit_segment sig_seg, size_t sig_offset, \
	    uint64_t signal, enum conduit_amo op, int flags), \
	   CONDUIT_CAP_RMA) \
	OP(fence, (struct conduit_queue *q), CONDUIT_CAP_NET) \
	OP(quiet, (struct conduit_queue *q, struct conduit_ep *ep), \
	   CONDUIT_CAP_NET) \
	OP(progress, (struct conduit *conduit), CONDUIT_CAP_NET)

struct conduit_ops {
#define CONDUIT_MEMBER(name, params, cap) int(*name) params;
	CONDUIT_OPS(CONDUIT_MEMBER)
#undef CONDUIT_MEMBER
};

struct conduit {
	const char *name;
	unsigned int caps;
	struct conduit_ops ops;
	/* For people: how it does what it does, one line; "" for nothing. */
	char note[128];
};

/* Every conduit: the one place that names them. */
#ifdef HAVE_UCX
#define CONDUITS(X) X(smp) X(xgmi) X(ucx)
#else
#define CONDUITS(X) X(smp) X(xgmi)
#endif

/* A copy of the table with all rows filled; -EINVAL for one that lies. */
int conduit_register(struct conduit *slot, const struct conduit *conduit);

/*
 * The registered conduits, at most CONDUIT_MAX, in the order of CONDUITS.
 * conduit_register_all() is called once, before any other use.
 */
#define CONDUIT_MAX 8
extern struct conduit conduit_table[CONDUIT_MAX];
extern int conduit_count;
int conduit_register_all(void);

/* Opens all, or none; 0 or what the row said. */
int conduit_open_all(void);
void conduit_close_all(void);

/* The conduit with the best score for a peer's segment, or NULL. */
struct conduit *conduit_choose(const struct conduit_peer *peer,
			       enum conduit_segment seg);

#endif
