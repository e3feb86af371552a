/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A NIC in software for tests: libnic.so has the symbols of libibverbs and of
 * the vendors' libraries, checks every call, and executes work requests of real
 * queues between processes of one machine. Loaded by SHMEM_GDA_LIBRARY.
 *
 *   NIC_DEVICES  mlx5, bnxt_re, ionic or verbs (default), with commas; ":2" two
 *   NIC_DIR      where the job's processes meet; default /dev/shm, TMPDIR, /tmp
 *   NIC_LINK     ethernet (default) or infiniband
 *   NIC_MODE     count: entries complete but move nothing; strict: a request
 *                that is refused ends the process
 *   NIC_FAULT    with commas; n counts this process's requests from 1 on:
 *                delay:us       each is executed that much later
 *                drop:n         the n-th and what follows it in its queue never
 *                               complete
 *                error:n:code   the n-th ends in this enum ibv_wc_status
 *                port_down:n    the port goes down at the n-th
 *                reorder        queues take turns at random (NIC_SEED)
 *                atomics:bytes  larger regions are refused (EINVAL) if they ask
 *                               for remote atomics and other remote access
 *                atomics_apart  atomics are such among NICs alone: they say
 *                               IBV_ATOMIC_HCA, as they do with a GPU
 *   NIC_SYS      a folder that stands for /sys/class/infiniband; default: none
 *   NIC_STATS    a file: a line of JSON for each process is appended at its end
 *
 * A call that breaks the rules of verbs ends the process with a message
 * "nic: ..." on stderr; a request that a NIC would answer with an error
 * completion gets that, and the message too.
 *
 *   nic_verbs*.c                  the API
 *   nic_check*.c                  its rules
 *   nic_registry.c, nic_peer.c    other processes and their queues
 *   nic_thread.c                  turns of the queues
 *   nic_engine.c, nic_<engine>.c  formats of queues
 *   nic_access.c                  whether a request may happen
 *   nic_move.c, nic_atomic.c      what it does
 *   nic_map.c, nic_copy.c         memory, also others'
 *   nic_gpu.c                     memory of GPUs
 *   nic_fault.c, nic_stats.c      what goes wrong, and counts
 *
 * What engines don't need is in nic_impl.h.
 */
#ifndef NIC_H
#define NIC_H

#include <infiniband/verbs.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define NIC_EXPORT __attribute__((visibility("default")))

#define NIC_SGES 4
#define NIC_INLINE_BYTES 512
#define NIC_WINDOW 64 /* requests of a queue that are taken, not completed */
#define NIC_GIDS 4

/* --- Rules (nic_check.c) --- */

/* Prints "nic: ..." and aborts. */
__attribute__((noreturn, format(printf, 1, 2))) void
nic_refuse(const char *format, ...);
/* Prints "nic: ..." alone. */
__attribute__((format(printf, 1, 2))) void nic_say(const char *format, ...);

/*
 * The first member of each object of the API. They are never freed before the
 * end, so that a second destroy is found. Kinds name what they are.
 */
struct nic_object {
	const char *kind; /* "QP"; static */
	uint32_t number;  /* from 1 on, no other object has it */
	uint32_t gone;
	uint32_t users; /* objects that need this one; must be 0 to destroy */
	uint32_t pad;
	struct nic_object *next;
};

/* kind's next object, of bytes, zeroed; in the list of leaks. */
void *nic_object_new(const char *kind, size_t bytes);
/* Refuses what is NULL, of another kind, or gone; call names the caller. */
void nic_object_check(const void *object, const char *kind, const char *call);
/* The same, then refuses one that has users, and marks it gone. */
void nic_object_end(void *object, const char *kind, const char *call);

/* --- Objects --- */

/*
 * Protects all of the below; recursive. Held while any function of an engine
 * runs; functions that engines export take it themselves.
 */
void nic_lock(void);
void nic_unlock(void);

struct nic_engine;
struct nic_request;

struct nic_device {
	struct ibv_device ibv; /* first */
	const struct nic_engine *engine;
	unsigned int index; /* among all */
	unsigned int unit;  /* among those of its engine: mlx5_<unit> */
	int port_down;
	struct ibv_device_attr attr;
	union ibv_gid gids[NIC_GIDS];
};

struct nic_context {
	struct nic_object object;
	struct nic_device *device;
	int event_fd; /* the other end of async_fd */
	struct nic_context *next;
	void *own; /* the engine's */
	struct verbs_context verbs;
};

struct nic_pd {
	struct nic_object object;
	struct ibv_pd ibv;
	struct nic_context *context;
	struct nic_pd *real; /* of a parent domain: what it stands for */
	struct nic_td *td;
	/* Of a parent domain: its allocator, or NULL. */
	void *(*alloc)(struct ibv_pd *pd, void *pd_context, size_t size,
		       size_t alignment, uint64_t resource_type);
	void (*free)(struct ibv_pd *pd, void *pd_context, void *ptr,
		     uint64_t resource_type);
	void *pd_context;
	void *own; /* the engine's */
};

struct nic_td {
	struct nic_object object;
	struct ibv_td ibv;
	void *own; /* the engine's: a doorbell page ... */
};

struct nic_mr {
	struct nic_object object;
	struct ibv_mr ibv;
	struct nic_pd *pd; /* never a parent domain */
	uint64_t addr;	   /* as requests name it */
	char *host;	   /* the same byte here; NULL: in a GPU's memory */
	void *mapped;	   /* of a dmabuf, to be unmapped */
	size_t bytes;
	int access;
	uint32_t slot; /* in the registry */
};

struct nic_cq {
	struct nic_object object;
	struct ibv_cq_ex ibv; /* begins as struct ibv_cq */
	struct nic_context *context;
	struct nic_pd *pd; /* parent domain whose allocator it uses, or NULL */
	int cqe;	   /* completions that it holds */
	int ignores_overrun;
	void *arg; /* of nic_cq_new */
	void *own; /* the engine's */
};

struct nic_qp {
	struct nic_object object;
	struct ibv_qp ibv;
	struct nic_context *context;
	struct nic_pd *pd; /* as given: maybe a parent domain */
	struct nic_cq *cq; /* of sends */
	struct nic_cq *recv_cq;
	struct ibv_qp_cap cap;
	int sig_all;
	enum ibv_qp_state state; /* as is; ibv.state too */
	struct ibv_qp_attr attr; /* all that was ever set */
	uint32_t slot;		 /* in the registry */
	void *arg;		 /* of nic_qp_new */
	void *own;		 /* the engine's */
	/* Of the thread. */
	struct nic_qp *next;
	struct nic_pending *pending; /* NIC_WINDOW of them */
	unsigned int n_pending, first_pending;
	uint64_t waits_since_ns; /* for the other side; 0: it doesn't */
	uint64_t seen_ns;	 /* when the other side's process was there */
};

/* From verbs' pointers to ours, of the right kind; call is for the message. */
struct nic_context *nic_context_of(struct ibv_context *context,
				   const char *call);
struct nic_pd *nic_pd_of(struct ibv_pd *pd, const char *call);
struct nic_td *nic_td_of(struct ibv_td *td, const char *call);
struct nic_cq *nic_cq_of(struct ibv_cq *cq, const char *call);
struct nic_qp *nic_qp_of(struct ibv_qp *qp, const char *call);
struct nic_device *nic_device_of(struct ibv_device *device, const char *call);

/*
 * For vendors' own ways to make a queue: what ibv_create_qp and _cq do, with an
 * argument for the engine's qp_create and cq_create (NULL from verbs). NULL and
 * errno if the engine refused it. pd may be NULL for a CQ. Destroyed by
 * ibv_destroy_qp and _cq, or by nic_qp_end and _cq_end.
 */
struct nic_cq *nic_cq_new(struct nic_context *context, struct nic_pd *pd,
			  int cqe, void *cq_context, void *arg);
struct nic_qp *nic_qp_new(struct nic_pd *pd, struct ibv_qp_init_attr *attr,
			  void *arg);
void nic_cq_end(struct nic_cq *cq, const char *call);
void nic_qp_end(struct nic_qp *qp, const char *call);

/*
 * Memory of a queue, zeroed: by the parent domain's allocator if pd has one
 * (which may answer IBV_ALLOCATOR_USE_DEFAULT), else our own. free with the
 * same arguments.
 */
void *nic_buffer_alloc(struct nic_pd *pd, size_t bytes, size_t align,
		       uint64_t resource_type);
void nic_buffer_free(struct nic_pd *pd, void *p, uint64_t resource_type);

/*
 * Entries, records and completions may lie in a GPU's memory: engines read and
 * write them by these alone. 8 or 4 bytes, aligned, are one access; load
 * acquires and store releases.
 */
void nic_load(void *to, const void *from, size_t bytes);
void nic_store(void *to, const void *from, size_t bytes);
uint64_t nic_load64(const void *from);
uint32_t nic_load32(const void *from);

/* --- Requests --- */

enum nic_op {
	NIC_WRITE,
	NIC_READ,
	NIC_ADD, /* data[0]; all atomics return the value before to sge[0] */
	NIC_SWAP_IF, /* data[0] if it was data[1] */
	/* data[0] to the bits data[2] if it was data[1] in the bits data[3] */
	NIC_MASKED_SWAP,
	/* data[0]; no carry goes out of the bits that are set in data[1] */
	NIC_MASKED_ADD,
	NIC_NOP
};

struct nic_sge {
	uint64_t addr;
	uint32_t bytes;
	uint32_t lkey;
};

struct nic_request {
	enum nic_op op;
	int signaled;
	int fence;	/* after earlier reads and atomics; it is so anyway */
	int big_endian; /* an atomic's result is returned so */
	uint32_t bytes; /* of an atomic: 4 or 8 */
	uint32_t rkey;
	uint64_t remote;
	uint64_t data[4]; /* in host order */
	unsigned int n_sge;
	struct nic_sge sge[NIC_SGES];
	uint32_t inline_bytes; /* if nonzero there are no sge */
	uint8_t inline_data[NIC_INLINE_BYTES];
	/* The engine's. */
	uint64_t place;
	uint64_t wr_id;
	uint64_t own[2];
};

/*
 * Does it (local keys are of qp's PD, remote ones of the other side's), or says
 * why not on stderr. Large data moves before it returns. IBV_WC_SUCCESS, or the
 * status that the requester's completion has:
 *   IBV_WC_LOC_PROT_ERR       local key, bounds or access
 *   IBV_WC_LOC_QP_OP_ERR      an atomic's or list's size
 *   IBV_WC_REM_ACCESS_ERR     remote key, bounds or access
 *   IBV_WC_REM_INV_REQ_ERR    an unaligned atomic, or more than was agreed on
 *   IBV_WC_RETRY_EXC_ERR      nobody is there
 */
enum ibv_wc_status nic_execute(struct nic_qp *qp,
			       const struct nic_request *request);

/* --- Engines --- */

/*
 * attr          changes what a device of its kind says of itself; vendor_id ...
 * cq_create     memory of completions; qp_create: of entries. 0 or an errno.
 *               cap is what was asked for, to be set to what there is.
 *               Numbers are set before: qp->ibv.qp_num, cq->object.number.
 * qp_modified   after each change of state, from that one; may be NULL
 * take          the queue's next request, if the doorbell says so: 1; 0: there
 *               is none. Called in turn for each queue in RTS, and for one in
 *               ERR for what it still has. Refuses wrong entries. Counts
 *               doorbells and entries in nic_counts.
 * complete      called for each request that was taken, in order, signaled or
 *               not. IBV_WC_WR_FLUSH_ERR for all after one that failed.
 * post_send     as verbs; NULL: refused. Wakes the thread by nic_thread_wake.
 * poll_cq       as verbs; NULL: refused
 */
struct nic_engine {
	const char *name;   /* a word of NIC_DEVICES */
	const char *prefix; /* of its devices' names: "mlx5_" */
	void (*attr)(struct ibv_device_attr *attr);
	void (*context_close)(struct nic_context *context); /* or NULL */
	int (*cq_create)(struct nic_cq *cq);
	void (*cq_destroy)(struct nic_cq *cq);
	int (*qp_create)(struct nic_qp *qp, struct ibv_qp_cap *cap);
	void (*qp_destroy)(struct nic_qp *qp);
	void (*qp_modified)(struct nic_qp *qp, enum ibv_qp_state from);
	int (*take)(struct nic_qp *qp, struct nic_request *request);
	void (*complete)(struct nic_qp *qp, const struct nic_request *request,
			 enum ibv_wc_status status);
	int (*post_send)(struct nic_qp *qp, struct ibv_send_wr *wr,
			 struct ibv_send_wr **bad);
	int (*poll_cq)(struct nic_cq *cq, int n, struct ibv_wc *wc);
};
/* nic_engine.c has the list; a row is added with the engine's file. */
extern const struct nic_engine nic_mlx5, nic_bnxt, nic_ionic, nic_soft;
extern const struct nic_engine *const nic_engines[]; /* NULL ends */

/* There is something to take. Any thread. */
void nic_thread_wake(void);

/* --- Counts (nic_stats.c), under the lock --- */

struct nic_counts {
	uint64_t doorbells; /* changes of a doorbell that were seen */
	uint64_t entries;
	uint64_t writes, reads, atomics, inlines;
	uint64_t bytes;
	uint64_t completions; /* written */
	uint64_t errors;
	uint64_t queues, regions, contexts; /* made */
};
extern struct nic_counts nic_counts;

/* An asynchronous event of a device's contexts, or of a QP (not NULL). */
void nic_event_port(struct nic_device *device, enum ibv_event_type type);
void nic_event_qp(struct nic_qp *qp, enum ibv_event_type type);

#endif
