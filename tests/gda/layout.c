/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Our own layouts of mlx5's entries and completions are those of rdma-core's
 * header, and so is what comes out: entries are compared with ones that the
 * header's own functions make.
 */
#include <infiniband/mlx5dv.h>

#include "format.h"

#define SAME(a, b) _Static_assert((long)(a) == (long)(b), #a)

SAME(sizeof(struct gda_mlx5_control), sizeof(struct mlx5_wqe_ctrl_seg));
SAME(offsetof(struct gda_mlx5_control, opcode),
     offsetof(struct mlx5_wqe_ctrl_seg, opmod_idx_opcode));
SAME(offsetof(struct gda_mlx5_control, number),
     offsetof(struct mlx5_wqe_ctrl_seg, qpn_ds));
SAME(offsetof(struct gda_mlx5_control, flags) + 3,
     offsetof(struct mlx5_wqe_ctrl_seg, fm_ce_se));
SAME(offsetof(struct gda_mlx5_control, immediate),
     offsetof(struct mlx5_wqe_ctrl_seg, imm));
SAME(sizeof(struct gda_mlx5_remote), sizeof(struct mlx5_wqe_raddr_seg));
SAME(offsetof(struct gda_mlx5_remote, key),
     offsetof(struct mlx5_wqe_raddr_seg, rkey));
SAME(sizeof(struct gda_mlx5_data), sizeof(struct mlx5_wqe_data_seg));
SAME(offsetof(struct gda_mlx5_data, bytes),
     offsetof(struct mlx5_wqe_data_seg, byte_count));
SAME(offsetof(struct gda_mlx5_data, key),
     offsetof(struct mlx5_wqe_data_seg, lkey));
SAME(offsetof(struct gda_mlx5_data, address),
     offsetof(struct mlx5_wqe_data_seg, addr));
SAME(sizeof(struct gda_mlx5_plain), sizeof(struct mlx5_wqe_atomic_seg));
SAME(offsetof(struct gda_mlx5_plain, value),
     offsetof(struct mlx5_wqe_atomic_seg, swap_add));
SAME(offsetof(struct gda_mlx5_plain, compare),
     offsetof(struct mlx5_wqe_atomic_seg, compare));

SAME(sizeof(struct gda_mlx5_completion), sizeof(struct mlx5_cqe64));
SAME(offsetof(struct gda_mlx5_completion, opcode),
     offsetof(struct mlx5_cqe64, sop_drop_qpn));
SAME(offsetof(struct gda_mlx5_completion, place),
     offsetof(struct mlx5_cqe64, wqe_counter));
SAME(offsetof(struct gda_mlx5_completion, owner),
     offsetof(struct mlx5_cqe64, op_own));
SAME(sizeof(struct gda_mlx5_completion), sizeof(struct mlx5_err_cqe));
SAME(offsetof(struct gda_mlx5_completion, vendor),
     offsetof(struct mlx5_err_cqe, vendor_err_synd));
SAME(offsetof(struct gda_mlx5_completion, syndrome),
     offsetof(struct mlx5_err_cqe, syndrome));
SAME(offsetof(struct gda_mlx5_completion, place),
     offsetof(struct mlx5_err_cqe, wqe_counter));

SAME(GDA_MLX5_BLOCK_BYTES, MLX5_SEND_WQE_BB);
SAME(GDA_MLX5_WRITE, MLX5_OPCODE_RDMA_WRITE);
SAME(GDA_MLX5_READ, MLX5_OPCODE_RDMA_READ);
SAME(GDA_MLX5_SWAP_IF, MLX5_OPCODE_ATOMIC_CS);
SAME(GDA_MLX5_ADD, MLX5_OPCODE_ATOMIC_FA);
SAME(GDA_MLX5_MASKED_SWAP, MLX5_OPCODE_ATOMIC_MASKED_CS);
SAME(GDA_MLX5_MASKED_ADD, MLX5_OPCODE_ATOMIC_MASKED_FA);
SAME(GDA_MLX5_COMPLETES, MLX5_WQE_CTRL_CQ_UPDATE);
SAME((uint32_t)GDA_MLX5_INLINE_HEAD, (uint32_t)MLX5_INLINE_SEG);
SAME(GDA_MLX5_CQE_DONE, MLX5_CQE_REQ);
SAME(GDA_MLX5_CQE_ERROR, MLX5_CQE_REQ_ERR);
SAME(GDA_MLX5_CQE_RESPONDER_ERROR, MLX5_CQE_RESP_ERR);
SAME(GDA_MLX5_CQE_NONE, MLX5_CQE_INVALID);

SAME(GDA_MLX5_LOCAL_LENGTH, MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR);
SAME(GDA_MLX5_LOCAL_OPERATION, MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR);
SAME(GDA_MLX5_LOCAL_PROTECTION, MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
SAME(GDA_MLX5_FLUSHED, MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
SAME(GDA_MLX5_LOCAL_WINDOW, MLX5_CQE_SYNDROME_MW_BIND_ERR);
SAME(GDA_MLX5_BAD_RESPONSE, MLX5_CQE_SYNDROME_BAD_RESP_ERR);
SAME(GDA_MLX5_LOCAL_ACCESS, MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR);
SAME(GDA_MLX5_REMOTE_REQUEST, MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR);
SAME(GDA_MLX5_REMOTE_ACCESS, MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR);
SAME(GDA_MLX5_REMOTE_OPERATION, MLX5_CQE_SYNDROME_REMOTE_OP_ERR);
SAME(GDA_MLX5_RETRIES, MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR);
SAME(GDA_MLX5_RECEIVER_RETRIES, MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR);
SAME(GDA_MLX5_REMOTE_ABORTED, MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR);

/* As numbers, in gda_verbs_error. */
SAME(IBV_WC_WR_FLUSH_ERR, 5);
SAME(IBV_WC_BAD_RESP_ERR, 7);
SAME(IBV_WC_LOC_ACCESS_ERR, 8);
SAME(IBV_WC_REM_INV_REQ_ERR, 9);
SAME(IBV_WC_REM_OP_ERR, 11);
SAME(IBV_WC_RETRY_EXC_ERR, 12);
SAME(IBV_WC_RNR_RETRY_EXC_ERR, 13);
SAME(IBV_WC_REM_ABORT_ERR, 16);

static struct memory memory;

static void check_write(void)
{
	struct {
		struct mlx5_wqe_ctrl_seg control;
		struct mlx5_wqe_raddr_seg remote;
		struct mlx5_wqe_data_seg data;
	} want;
	const struct gda_op op = { GDA_WRITE,
				   4096,
				   0x1122334455667788,
				   0x99aabbccddeeff01,
				   0xa1a2a3a4,
				   0xb1b2b3b4,
				   { 0 } };

	memset(&want, 0, sizeof(want));
	mlx5dv_set_ctrl_seg(&want.control, 0x2345, MLX5_OPCODE_RDMA_WRITE, 0,
			    NUMBER, MLX5_WQE_CTRL_CQ_UPDATE, 3, 0, 0);
	want.remote.raddr = htobe64(op.remote);
	want.remote.rkey = htobe32(op.remote_key);
	mlx5dv_set_data_seg(&want.data, op.bytes, op.local_key, op.local);
	memory_init(&memory, SHMEMD_GDA_MLX5, PLACES);
	gda_write(&memory.q, 0x12345, &op, 1);
	CHECK(!memcmp(memory.entries + 5 * 64, &want, sizeof(want)));
}

static void check_add(void)
{
	struct {
		struct mlx5_wqe_ctrl_seg control;
		struct mlx5_wqe_raddr_seg remote;
		struct mlx5_wqe_atomic_seg values;
		struct mlx5_wqe_data_seg data;
	} want;
	const struct gda_op op = { GDA_ADD,
				   8,
				   0x1122334455667788,
				   0x99aabbccddeeff00,
				   0xa1a2a3a4,
				   0xb1b2b3b4,
				   { 0x0102030405060708 } };

	memset(&want, 0, sizeof(want));
	mlx5dv_set_ctrl_seg(&want.control, 7, MLX5_OPCODE_ATOMIC_FA, 0, NUMBER,
			    0, 4, 0, 0);
	want.remote.raddr = htobe64(op.remote);
	want.remote.rkey = htobe32(op.remote_key);
	want.values.swap_add = htobe64(op.data[0]);
	mlx5dv_set_data_seg(&want.data, 8, op.local_key, op.local);
	memory_init(&memory, SHMEMD_GDA_MLX5, PLACES);
	gda_write(&memory.q, 7, &op, 0);
	CHECK(!memcmp(memory.entries + 7 * 64, &want, sizeof(want)));
}

/* The NIC's owner bit and opcode, by the header's words. */
static void check_completion(void)
{
	struct mlx5_cqe64 cqe;
	struct gda_status status = { 0, 0, 0, 0 };
	const struct gda_op op = { GDA_WRITE, 1, 2, 3, 4, 5, { 0 } };

	memory_init(&memory, SHMEMD_GDA_MLX5, PLACES);
	gda_write(&memory.q, 3, &op, 1);
	memset(&cqe, 0, sizeof(cqe));
	cqe.sop_drop_qpn =
		htobe32((uint32_t)MLX5_OPCODE_RDMA_WRITE << 24 | NUMBER);
	cqe.wqe_counter = htobe16(3);
	cqe.op_own = MLX5_CQE_REQ << 4;
	CHECK(mlx5dv_get_cqe_opcode(&cqe) == MLX5_CQE_REQ);
	memcpy(memory.completions, &cqe, sizeof(cqe));
	CHECK(gda_poll(&memory.q, &status) && status.done == 4);
}

int main(void)
{
	check_write();
	check_add();
	check_completion();
	return 0;
}
