/* SPDX-License-Identifier: BSD-3-Clause */
/* What the engine for mlx5 and its vendor's calls share. */
#ifndef NIC_MLX5_H
#define NIC_MLX5_H

#include "nic_entry.h"

#define MLX5_BLOCK_BYTES 64
#define MLX5_ENTRY_BYTES_MAX 1008  /* 63 segments */
#define MLX5_REGISTER_OFFSET 0x800 /* in its page, as the NIC has it */
#define MLX5_REGISTER_BYTES 256

/* A doorbell register: a thread domain's alone, or a context's. */
struct mlx5_uar {
	uint64_t *page;
	struct mlx5_queue *queues;
	void **owner; /* where this pointer lies */
};

struct mlx5_queue {
	struct nic_qp *qp;
	char *memory;	   /* of the receive queue, then of the send queue */
	char *entries;	   /* of the send queue */
	uint32_t n_blocks; /* a power of two */
	uint32_t n_recv, recv_stride;
	uint32_t *record; /* receives, sends */
	struct mlx5_uar *uar;
	struct mlx5_queue *next; /* of the register */
	/* In blocks. */
	uint64_t rung, taken, done;
};

struct mlx5_cq {
	char *entries;
	uint32_t n;	  /* a power of two */
	uint32_t *record; /* consumer's count, arm */
	uint64_t made;
};

/* Looks at the register: queues' rung moves. */
void mlx5_uar_look(struct mlx5_uar *uar);
/* nic_engine's take. */
int mlx5_take(struct nic_qp *qp, struct nic_request *request);

#endif
