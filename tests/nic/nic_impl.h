/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the software NIC share, but not with engines. */
#ifndef NIC_IMPL_H
#define NIC_IMPL_H

#include "nic.h"

/* --- Devices and contexts --- */

#define NIC_DEVICES_MAX 16
#define NIC_MAX_MESSAGE (1u << 31)

extern struct nic_device nic_devices[NIC_DEVICES_MAX];
extern unsigned int nic_n_devices;

/* Of opening the first context and closing the last, and of ending. */
int nic_thread_start(void);
void nic_thread_stop(void);
void nic_registry_open(void);
void nic_registry_close(void);
void nic_stats_write(void);
void nic_object_leaks(void); /* refuses if there are some; frees all else */
/* This process is the one that loaded the module, not a fork of it. */
int nic_mine(void);

/* Other threads wait for nic_lock. */
int nic_lock_wanted(void);

/* --- Ops of contexts, by file --- */

int nic_query_device(struct ibv_context *context, struct ibv_device_attr *attr);
int nic_query_device_ex(struct ibv_context *context,
			const struct ibv_query_device_ex_input *input,
			struct ibv_device_attr_ex *attr, size_t bytes);
int nic_query_port(struct ibv_context *context, uint8_t port,
		   struct ibv_port_attr *attr, size_t bytes);
struct ibv_td *nic_alloc_td(struct ibv_context *context,
			    struct ibv_td_init_attr *attr);
int nic_dealloc_td(struct ibv_td *td);
struct ibv_pd *nic_alloc_parent(struct ibv_context *context,
				struct ibv_parent_domain_init_attr *attr);
struct ibv_cq_ex *nic_create_cq_ex(struct ibv_context *context,
				   struct ibv_cq_init_attr_ex *attr);
struct ibv_qp *nic_create_qp_ex(struct ibv_context *context,
				struct ibv_qp_init_attr_ex *attr);
int nic_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
		  struct ibv_send_wr **bad);
int nic_poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc);

/* --- Rules --- */

/* Refuses what modify_qp must not get: order, mask, values, peer. */
void nic_check_modify(const struct nic_qp *qp, const struct ibv_qp_attr *attr,
		      int mask);
void nic_check_qp_init(const struct nic_pd *pd,
		       const struct ibv_qp_init_attr *attr);
/* Refuses access flags that don't fit together, or that verbs has not. */
void nic_check_access(int access, int local, const char *call);
const char *nic_state_name(enum ibv_qp_state state);

/* A change of state, told to peers and the engine; attributes are set. */
void nic_qp_state(struct nic_qp *qp, enum ibv_qp_state state);

/* --- Regions --- */

/* The one with this local key, or NULL. */
struct nic_mr *nic_mr_local(uint32_t lkey);

/* --- Registry: queue pairs and regions of all processes --- */

struct nic_shared_qp {
	uint32_t number; /* 0: free */
	int32_t pid;
	uint32_t pd; /* of its process */
	uint32_t state;
	uint32_t dest;
	uint32_t access;
	uint32_t rq_psn, sq_psn;
	uint32_t mtu;
	uint32_t max_dest_reads;
	uint32_t refused; /* a peer's access: events are owed */
	uint32_t down;	  /* its port */
	uint32_t gid_index;
	uint32_t device; /* of its process */
};

struct nic_shared_mr {
	uint32_t rkey; /* 0: free */
	int32_t pid;
	uint32_t pd;
	uint32_t access;
	uint64_t addr; /* as requests name it */
	uint64_t host; /* where it lies there; 0: in a GPU's memory */
	uint64_t bytes;
	/* Of a GPU's: the allocation, and where in it the region begins. */
	uint64_t gpu_offset;
	uint8_t gpu_handle[64];
	uint32_t device;
	uint32_t unused;
};

/* A new slot with number or rkey, and pid, set. */
struct nic_shared_qp *nic_shared_qp_new(uint32_t *slot);
struct nic_shared_mr *nic_shared_mr_new(uint32_t *slot);
struct nic_shared_qp *nic_shared_qp_at(uint32_t slot);
struct nic_shared_mr *nic_shared_mr_at(uint32_t slot);
/* By what the wire has; NULL: there is none. */
struct nic_shared_qp *nic_shared_qp_find(uint32_t number);
struct nic_shared_mr *nic_shared_mr_find(uint32_t rkey);
int nic_alive(int pid);
/* Of all processes, for atomics on memory that the CPU can't address. */
void nic_shared_lock(void);
void nic_shared_unlock(void);

/* --- Memory --- */

/* A stretch of memory here; gpu: not for the CPU; peer: see nic_map.c. */
struct nic_span {
	char *p;
	size_t bytes;
	int gpu;
	int pid; /* nonzero: p is that process's and can't be mapped */
};

/*
 * The bytes at `at` of region mr of another process or this one: the longest
 * stretch, at most bytes. 0 or a negative errno.
 */
int nic_map_remote(const struct nic_shared_mr *mr, uint64_t at, size_t bytes,
		   struct nic_span *span);
void nic_map_close(void);
/* The CPU reaches it. */
int nic_mapped(const struct nic_span *span);
/* Small and aligned ones by whole words. */
void nic_copy_from(void *to, const struct nic_span *from, size_t bytes);
void nic_copy_to(const struct nic_span *to, const void *from, size_t bytes);
void nic_copy(const struct nic_span *to, const struct nic_span *from,
	      size_t bytes);
/* How many bytes from p on are mapped and may be read, or written too. */
size_t nic_map_extent(const void *p, size_t bytes, int write);

/* --- GPUs --- */

/* Takes the driver's library if the program has loaded it by now. */
void nic_gpu_look(void);
/* Whether the program has a GPU. */
int nic_gpu_here(void);
/* 0 where there is none. */
int nic_gpu_owns(const void *p);
/* Between memory of the GPU and of the CPU. */
void nic_gpu_copy(void *to, const void *from, size_t bytes);
/* Within memory of the GPU. */
void nic_gpu_move(void *to, const void *from, size_t bytes);
/* 0 or a negative errno. */
int nic_gpu_export(const void *p, uint8_t handle[64], uint64_t *offset);
char *nic_gpu_import(const uint8_t handle[64]);
void nic_gpu_close(void);

/* --- Requests --- */

struct nic_work {
	const struct nic_request *request;
	const struct nic_qp *qp;
	const struct nic_shared_qp *peer;
	const struct nic_shared_mr *mr; /* the other side's */
	size_t bytes;
};

/* Sets bytes and, if there are some, mr. */
enum ibv_wc_status nic_access_check(struct nic_work *work);
int nic_op_atomic(enum nic_op op);
/* What a word becomes that was `was`; the word before, of a word at p. */
uint64_t nic_atomic_next(const struct nic_request *request, uint64_t was);
uint64_t nic_atomic_cpu(const struct nic_request *request, void *p);

struct nic_fault {
	uint64_t delay_ns;
	int drop;
	int port_down;
	enum ibv_wc_status status; /* SUCCESS: none */
};

struct nic_pending {
	struct nic_request request;
	struct nic_fault fault;
	uint64_t due_ns;
};

/* What becomes of the process's next request. */
struct nic_fault nic_fault_next(void);
int nic_fault_reorder(void); /* 1: queues take turns at random */
uint64_t nic_fault_random(void);
uint64_t nic_fault_atomics(void); /* SIZE_MAX: no limit */
int nic_fault_atomics_apart(void);
int nic_mode_count(void);
int nic_mode_strict(void);

/* The other side is ready for qp's requests; refuses one that can't ever be. */
int nic_peer_ready(struct nic_qp *qp);
uint64_t nic_now_ns(void);

/* The thread forgets the queue; its requests are dropped. */
void nic_thread_forget(struct nic_qp *qp);
void nic_thread_add(struct nic_qp *qp);

#endif
