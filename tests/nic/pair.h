/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two processes, each with a queue pair of the software NIC, for its tests.
 * The module is loaded by each child alone, as what it forked from must not
 * have it.
 */
#ifndef PAIR_H
#define PAIR_H

#include "conduits/gda/gda_impl.h"

#define PAIR_BYTES 65536

extern struct gda_verbs_lib nic;

struct pair_address {
	union ibv_gid gid;
	uint64_t memory;
	uint32_t qp_num, rkey, psn;
	int gid_index;
};

struct pair_side {
	int socket; /* to the other one */
	int rank;   /* 0 or 1 */
	int fd;	    /* that backs memory */
	char *memory;
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	struct pair_address mine, peer;
};

/* Ends the process with a message. */
__attribute__((noreturn)) void pair_die(const char *what);
void pair_must(int ok, const char *what);
void pair_load(void);

/*
 * Up to the first state of the queue pair; then to RTS; then away again, when
 * the other one is ready for that, or without it.
 */
void pair_open(struct pair_side *side, unsigned int n_places, int cqe);
void pair_exchange(struct pair_side *side);
void pair_connect(struct pair_side *side);
void pair_close(struct pair_side *side);
void pair_leave(struct pair_side *side);
void pair_meet(const struct pair_side *side);

/* The attributes that connect uses: masks, for those who change them. */
#define PAIR_INIT \
	(IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS)
struct ibv_qp_attr pair_init(void);
int pair_rtr(const struct pair_side *side, struct ibv_qp_attr *attr);
int pair_rts(const struct pair_side *side, struct ibv_qp_attr *attr);

/* A request of bytes between my memory + mine and the peer's + theirs. */
struct ibv_send_wr pair_request(const struct pair_side *side,
				enum ibv_wr_opcode opcode, size_t mine,
				size_t theirs, size_t bytes,
				struct ibv_sge *sge);
void pair_post(struct pair_side *side, struct ibv_send_wr *wr);
/* Waits for the next completion; its status. */
enum ibv_wc_status pair_wait(struct pair_side *side, uint64_t *wr_id);

/*
 * Runs f in two processes, with NIC_DIR a new folder and the variable
 * name=value if name is not NULL. 0 if both end well.
 */
int pair_run(void (*f)(struct pair_side *side), const char *name,
	     const char *value);
/* Runs f in one; its stderr is in text, its wait status is returned. */
int pair_run_one(void (*f)(void), char *text, size_t bytes);

#endif
