/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of gda share.
 *
 *   gda.c          open, close, tell: the order of all the rest
 *   gda_lib.c      libibverbs and the vendors' libraries, loaded at run time
 *   gda_nic.c      the NICs and ports that this PE takes
 *   gda_survey.c   all that there are, and why one is not taken; gda_survey.h
 *   gda_choice.c   which provider has a device
 *   gda_list.c     the settings that name NICs and packets, checked
 *   gda_pci.c      how far a NIC is from the GPU
 *   gda_sysfs.c    what the kernel says of a device
 *   gda_gid.c      which address of a port is used, and why
 *   gda_region.c   memory registered with all NICs
 *   gda_memory.c   spans and keys
 *   gda_buffer.c   memory of the program
 *   gda_pool.c     memory of queues, taken before kernels run
 *   gda_queue.c    makes a queue and takes it through its states
 *   gda_connect.c  asks of kernels, answers to peers; gda_connect.h: its parts,
 *   gda_row.c      what kernels see of queues,
 *   gda_call.c     the mailbox through which PEs call each other,
 *   gda_remote.c   keys of peers' memory,
 *   gda_thread.c   the thread that does it
 *   gda_late.c     queues that complete nothing any more,
 *   gda_watch.c    events and errors
 *   gda_provider.c what providers share; gda_provider.h
 *   gda_pair.c     queue pairs by libibverbs, and what is said when they fail
 *   gda_none.c     gda.h where there are no headers of libibverbs
 *   gda_<p>*.c     a provider
 */
#ifndef GDA_IMPL_H
#define GDA_IMPL_H

#include <infiniband/verbs.h>

#include <shmem/device/state.h>

#include "conduits/gda/gda.h"

#define GDA_NICS_MAX 8

struct gda_provider;

/* A port of a NIC that this PE takes. */
struct gda_nic {
	const struct gda_provider *provider;
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_device_attr device;
	struct ibv_port_attr port_attr;
	union ibv_gid gid;
	int gid_index;
	unsigned int index; /* among this PE's */
	uint8_t port;
	int distance;  /* PCI hops to the GPU; -1 unknown */
	char name[64]; /* device:port */
	char gid_reason[96];
	void *own; /* the provider's */
};

/* What the other side must know to go to RTR and RTS, in one message. */
struct gda_address {
	uint8_t gid[16];
	uint32_t qp_num;
	uint32_t psn; /* of the first packet that the sender of this sends */
	uint16_t lid;
	uint8_t mtu; /* enum ibv_mtu */
	uint8_t link_layer;
	uint8_t n_reads; /* RDMA reads that it takes at once */
	uint8_t unused[3];
};

/* A queue of this PE: where entries are posted. */
struct gda_queue {
	struct gda_nic *nic;
	struct ibv_qp *qp;
	struct ibv_cq *cq;
	/*
	 * What kernels get: the provider fills entries, record, doorbell,
	 * completions, n_completions, number and own, as its gda_<p>.h says.
	 * n_places, format, ctx, pe and nic are set before.
	 */
	struct shmemd_gda_queue image;
	struct shmemd_gda_queue *kernels; /* where it lies for them */
	struct gda_address address;	  /* what its peer knows */
	int started;			  /* by the provider's row */
	uint64_t done;	     /* places, when it was last looked at, and */
	unsigned int n_late; /* how often it had as few before */
	void *memory; /* provider's memory_bytes, kernels can reach it, zero */
	void *device_memory; /* the same, as kernels address it */
	unsigned int index;  /* among the queues of context and PE */
	struct gda_queue *next;
	void *own; /* the provider's */
};

/*
 * A provider: NICs of one kind. Rows return 0 or a negative errno, logged with
 * the NIC's name.
 *
 * libraries     of the vendor, the first that is installed, for its symbols;
 *               loaded before all below; NULL: it needs none
 * serves        1: this device is one of its kind
 * nic_open      after context and pd; may set own; nic_close: frees own;
 *               NULL: nothing is to do
 * memory_bytes  that a queue of n_places needs for entries, record and
 *               completions, aligned to pages; 0: it brings its own
 * create        q->qp and q->cq, in the state RESET, and q->image. It never
 *               posts receives and asks for no events.
 * modify        as ibv_modify_qp
 * udp_port      the source port of a queue's packets, in RTS; -EOPNOTSUPP or
 *               NULL: the NIC chooses it
 * destroy       qp and cq, whatever state they are in
 * codes         of completions; NULL: as libibverbs has them
 * start, stop   of a queue whose entries the host posts (verbs), NULL else
 */
struct gda_provider {
	const char *name; /* a word of SHMEM_GDA */
	enum shmemd_gda_format format;
	int by_host; /* a thread posts, for which `auto` never takes it */
	unsigned int min_places, max_places; /* powers of two */
	const char *const *libraries;
	const struct gda_symbol *symbols;
	int (*serves)(struct ibv_device *device);
	int (*nic_open)(struct gda_nic *nic);
	void (*nic_close)(struct gda_nic *nic);
	size_t (*memory_bytes)(unsigned int n_places);
	int (*create)(struct gda_queue *q);
	int (*modify)(struct gda_queue *q, struct ibv_qp_attr *attr, int mask);
	int (*udp_port)(struct gda_queue *q, uint16_t port);
	void (*destroy)(struct gda_queue *q);
	const struct gda_code *codes;
	int (*start)(struct gda_queue *q);
	void (*stop)(struct gda_queue *q);
};
extern const struct gda_provider gda_mlx5, gda_bnxt, gda_ionic, gda_verbs;
extern const struct gda_provider *const gda_providers[]; /* NULL ends */

/*
 * -ENOENT, silently: its library is not installed. -ENOSYS: that has no calls
 * for queues of kernels, said in a line if SHMEM_GDA asks for a kind of NIC.
 */
int gda_provider_load(const struct gda_provider *provider);
/* A completion's code in words, static. */
const char *gda_code_words(const struct gda_provider *provider, uint32_t code);

/*
 * Every function of libibverbs that is called by a symbol (not those that
 * verbs.h inlines over a context's table), through one table that dlopen fills:
 * libibverbs.so.1, or all libraries from SHMEM_GDA_LIBRARY.
 */
#define GDA_VERBS(X) \
	X(struct ibv_device **, get_device_list, (int *n)) \
	X(void, free_device_list, (struct ibv_device * *list)) \
	X(struct ibv_context *, open_device, (struct ibv_device * device)) \
	X(int, close_device, (struct ibv_context * context)) \
	X(int, query_device, \
	  (struct ibv_context * context, struct ibv_device_attr * attr)) \
	X(int, query_port, \
	  (struct ibv_context * context, uint8_t port, \
	   struct _compat_ibv_port_attr * attr)) \
	X(int, query_gid, \
	  (struct ibv_context * context, uint8_t port, int index, \
	   union ibv_gid *gid)) \
	X(struct ibv_pd *, alloc_pd, (struct ibv_context * context)) \
	X(int, dealloc_pd, (struct ibv_pd * pd)) \
	X(struct ibv_mr *, reg_mr, \
	  (struct ibv_pd * pd, void *p, size_t bytes, int access)) \
	X(struct ibv_mr *, reg_dmabuf_mr, \
	  (struct ibv_pd * pd, uint64_t offset, size_t bytes, uint64_t iova, \
	   int fd, int access)) \
	X(int, dereg_mr, (struct ibv_mr * mr)) \
	X(struct ibv_cq *, create_cq, \
	  (struct ibv_context * context, int n, void *own, \
	   struct ibv_comp_channel *channel, int vector)) \
	X(int, destroy_cq, (struct ibv_cq * cq)) \
	X(struct ibv_qp *, create_qp, \
	  (struct ibv_pd * pd, struct ibv_qp_init_attr * attr)) \
	X(int, modify_qp, \
	  (struct ibv_qp * qp, struct ibv_qp_attr * attr, int mask)) \
	X(int, destroy_qp, (struct ibv_qp * qp)) \
	X(int, get_async_event, \
	  (struct ibv_context * context, struct ibv_async_event * event)) \
	X(void, ack_async_event, (struct ibv_async_event * event)) \
	X(const char *, event_type_str, (enum ibv_event_type type))

struct gda_verbs_lib {
#define GDA_VERBS_MEMBER(type, name, params) type(*name) params;
	GDA_VERBS(GDA_VERBS_MEMBER)
#undef GDA_VERBS_MEMBER
};
extern struct gda_verbs_lib gda_ibv;

/* 0 or a negative errno; why says what was not found, static. */
int gda_lib_open(const char **why);
void gda_lib_close(void);

/*
 * A vendor's library: of SHMEM_GDA_LIBRARY if that is set, else the first of
 * names (NULL ends) that is installed; NULL. symbol: NULL if it has none.
 */
void *gda_lib_vendor(const char *const *names);
void *gda_lib_symbol(void *library, const char *name);
/* A function of libibverbs that is in no table; NULL if it has none. */
void *gda_lib_verbs_symbol(const char *name);

/*
 * Checks SHMEM_GDA_NICS and SHMEM_GDA_MTU: 0 or -EINVAL, logged. list_check:
 * the same, unless there are no devices, where one that the list wants is not
 * among the n that there are. Whether the list lets a port of a device be used;
 * port 0: any of its ports.
 */
int gda_settings_check(void);
int gda_list_check(struct ibv_device **devices, int n);
int gda_list_allows(const char *device, unsigned int port);

/*
 * The first line of a file in the directory that the kernel has for a device;
 * negative: there is no such file. bus: its PCI address, "" for none.
 */
int gda_sysfs_read(const struct ibv_device *device, char *line, size_t bytes,
		   const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void gda_sysfs_bus(const struct ibv_device *device, char *bus, size_t bytes);

/*
 * Hops from the GPU to a PCI device, "0000:05:00.0"; -1: unknown, as where
 * kernels run on CPUs. open loads the machine's topology, or does nothing where
 * there is no GPU.
 */
void gda_pci_open(void);
void gda_pci_close(void);
int gda_pci_hops(const char *bus);

/*
 * For gda_possible: whether there is a device that the settings allow, that a
 * provider serves whose library is there, and that has a port that is not known
 * to be down. Opens none. 1, 0 with why in words, or -EINVAL, logged, where a
 * setting is malformed or names no NIC.
 */
int gda_nics_found(char *why, size_t bytes);

/* The NICs that this PE takes, best first, between nics_open and _close. */
extern struct gda_nic gda_nics[GDA_NICS_MAX];
extern unsigned int gda_n_nics;
int gda_nics_open(void);
/*
 * Whether it may make atomics: those of IBV_ATOMIC_HCA are none to processors,
 * so that updates of the target's own PEs get lost; SHMEM_NET_ATOMICS=device
 * says that there are no such.
 */
int gda_nic_atomics(const struct gda_nic *nic);
void gda_nics_close(void);
/* enum ibv_mtu: what the port has, or less by SHMEM_GDA_MTU. */
uint8_t gda_nic_mtu(const struct gda_nic *nic);
/*
 * Sets gid, gid_index and gid_reason from the settings and the port; context,
 * port and port_attr are set before. -ENOENT, not logged: gid_reason says why
 * the port has no address to use.
 */
int gda_gid_choose(struct gda_nic *nic);

/* Memory that all NICs of this PE know, in chunks of 1 << chunk_log2. */
struct gda_mrs {
	struct ibv_mr *rma, *amo; /* the same, or apart; amo NULL: refused */
};
struct gda_region {
	const char *what; /* for messages */
	char *base;
	size_t bytes;
	unsigned int chunk_log2;
	int is_device;
	int is_remote;	     /* peers reach it, too */
	size_t n_chunks;     /* set by open, as all below */
	struct gda_mrs *mrs; /* nic * n_chunks + chunk */
	int atomics;	     /* every amo is there */
};
#define GDA_WHOLE_LOG2 62 /* a chunk that is as large as any memory */

/*
 * Device memory by a dmabuf, or as SHMEM_GDA_DMABUF says by peer memory. 0 or a
 * negative errno, logged but for `quiet`. keys: local, of all NICs. close: also
 * of a region that is all zero.
 */
int gda_region_open(struct gda_region *region, int quiet);
void gda_region_close(struct gda_region *region);
void gda_region_keys(const struct gda_region *region,
		     struct shmemd_gda_key *keys);

/*
 * Registers the segments with all NICs and tells kernels' tables; close undoes
 * it. bytes of a chunk are a power of two, at least SHMEM_GDA_REGION, which all
 * PEs must have alike. After the NICs and the pool are open. tell sets n_spans,
 * spans and chunk_log2.
 */
int gda_memory_open(void);
void gda_memory_close(void);
void gda_memory_tell(struct shmemd_gda *kernels);
/* Whether all that is symmetric has keys that allow atomics, on all NICs. */
int gda_memory_atomics(void);
/*
 * Memory of queues, known to a NIC: its local key. It may be anywhere in what
 * the pool gave, of which all is registered at once, when first asked for.
 */
int gda_memory_of_queue(struct gda_nic *nic, void *p, size_t bytes,
			uint32_t *key);

/*
 * What a peer needs of this PE's symmetric memory by NIC nic: bases, then keys
 * by span and chunk, as many as gda_memory_chunks says. As one flat message.
 */
struct gda_bases {
	uint64_t base[SHMEMD_GDA_SYMMETRIC];
	uint32_t chunk_log2;
	uint32_t atomics; /* as gda_memory_atomics says */
};
size_t gda_memory_chunks(void);
size_t gda_memory_span_chunks(int span); /* of these */
void gda_memory_describe(unsigned int nic, struct gda_bases *bases,
			 struct shmemd_gda_key *keys);

/*
 * Kernels' table of spans: sets number i, behind the symmetric ones, or with
 * region NULL takes it away. keys: memory of kernels for region's keys, which
 * are written there. rows: those that there may be. Locked by the caller. 0 or
 * a negative errno, logged; 1: kernels must be told of more spans.
 */
#define GDA_SPANS 64
int gda_memory_span_set(unsigned int i, const struct gda_region *region,
			struct shmemd_gda_key *keys);
unsigned int gda_memory_chunk_log2(void);
/* Forgets all buffers, as part of gda_memory_close. */
void gda_buffers_close(void);

/*
 * Memory for kernels, taken from what was allocated at open, as platforms may
 * wait for kernels to give more; when that is used up it asks them anyway. All
 * zero. host: pinned host memory, at one address for both; else the device's.
 * Nothing is given back before close.
 */
int gda_pool_open(void);
void gda_pool_close(void);
void *gda_pool_host(size_t bytes, size_t align);
void *gda_pool_device(size_t bytes, size_t align);

/* The whole allocation that p lies in, and whether it is device memory; 0. */
int gda_pool_find(const void *p, char **base, size_t *bytes, int *is_device);

/*
 * Lets kernels use memory of this process that is not ours, such as the page of
 * a NIC with a doorbell: the pages around it, once, whoever asks again and for
 * whichever queue. Returns p as kernels address it, NULL if the platform can't,
 * logged. Each map needs an unmap with the same p and bytes before the memory
 * goes; the last one of a page undoes it.
 */
void *gda_pool_map(void *p, size_t bytes);
void gda_pool_unmap(void *p, size_t bytes);

/*
 * A queue, from nothing to RESET; then connect takes it to RTS with the peer's
 * address, and mine tells the peer of it. Also for the side that only receives,
 * a plain queue pair without rings (struct gda_target).
 */
int gda_queue_create(struct gda_queue *q, struct gda_address *mine);
int gda_queue_connect(struct gda_queue *q, const struct gda_address *peer);
void gda_queue_destroy(struct gda_queue *q);
/* Whether the host can't load and store queues' memory. */
int gda_queue_is_device(void);

struct gda_target {
	struct gda_nic *nic;
	struct ibv_qp *qp;
	struct ibv_cq *cq;
	struct gda_address address;
	struct gda_target *next;
};
int gda_target_create(struct gda_target *t, struct gda_address *mine);
int gda_target_connect(struct gda_target *t, const struct gda_address *peer);
void gda_target_destroy(struct gda_target *t);

/* The thread that serves kernels' asks and peers' calls. */
int gda_connect_open(void);
void gda_connect_close(void);
/* Calls f for each queue that was made; from any thread. */
void gda_queues_each(void (*f)(struct gda_queue *q, void *arg), void *arg);

/*
 * Failures: the first one of a context stays. fail tells kernels of one, logs
 * one line, and ends the job if SHMEM_GDA_ERRORS=abort; error: SHMEMX_ERROR_*.
 * turn: by the service thread, looks for events of NICs and for failures that
 * kernels found, to log them; 1 if there was something.
 */
int gda_watch_open(void);
void gda_watch_close(void);
void gda_watch_tell(struct shmemd_gda *kernels);
void gda_watch_fail(unsigned int ctx, int pe, const struct gda_nic *nic,
		    int error, uint32_t code);
/* The same for a queue's: its NIC completes nothing any more. */
void gda_watch_silent(const struct gda_queue *q);
int gda_watch_turn(void);

#endif
