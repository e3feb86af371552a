/* SPDX-License-Identifier: BSD-3-Clause */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "nic_mlx5.h"

#define WQE_BYTES_MAX MLX5_ENTRY_BYTES_MAX

struct segments {
	const struct mlx5_wqe_ctrl_seg *ctrl;
	const struct mlx5_wqe_raddr_seg *raddr;
	const char *data; /* after these */
	uint32_t n_data;  /* segments of 16 bytes */
};

static struct segments segments_of(const struct nic_entry *entry)
{
	const struct mlx5_wqe_ctrl_seg *ctrl = (const void *)entry->data;
	const uint32_t ds = be32toh(ctrl->qpn_ds) & 0x3f;

	return (struct segments){
		.ctrl = ctrl,
		.raddr = (const void *)(entry->data + 16),
		.data = (const char *)entry->data + 32,
		.n_data = ds > 2 ? ds - 2 : 0,
	};
}

static void decode(FILE *out, const struct nic_entry *entry)
{
	const struct segments s = segments_of(entry);
	const struct mlx5_wqe_data_seg *data = (const void *)s.data;
	const uint32_t first = be32toh(s.ctrl->opmod_idx_opcode);
	const uint32_t second = be32toh(s.ctrl->qpn_ds);

	nic_field(out, "opcode", first & 0xff);
	nic_field(out, "opmod", first >> 24);
	nic_field(out, "index", first >> 8 & 0xffff);
	nic_field(out, "qpn", second >> 8);
	nic_field(out, "ds", second & 0xff);
	nic_field(out, "signature", s.ctrl->signature);
	nic_field(out, "fm_ce_se", s.ctrl->fm_ce_se);
	nic_field(out, "imm", be32toh(s.ctrl->imm));
	nic_field(out, "raddr", be64toh(s.raddr->raddr));
	nic_field(out, "rkey", be32toh(s.raddr->rkey));
	for (uint32_t i = 0; i < s.n_data && 48 + 16 * i <= entry->bytes; i++) {
		fprintf(out, "    segment %u\n", i + 2);
		nic_field(out, "  byte_count", be32toh(data[i].byte_count));
		nic_field(out, "  lkey", be32toh(data[i].lkey));
		nic_field(out, "  addr", be64toh(data[i].addr));
	}
}

static char *block_at(const struct mlx5_queue *q, uint64_t place)
{
	return q->entries + (place & (q->n_blocks - 1)) * MLX5_BLOCK_BYTES;
}

/* The head first: it says how long the entry is. */
static uint32_t entry_read(struct mlx5_queue *q, struct nic_entry *entry)
{
	const struct segments s = segments_of(entry);
	uint32_t ds, n_blocks;

	nic_entry_load(entry, block_at(q, q->taken), MLX5_BLOCK_BYTES);
	if ((be32toh(s.ctrl->opmod_idx_opcode) >> 8 & 0xffff) !=
	    (q->taken & 0xffff))
		nic_entry_refuse(entry, "index 0x%x, expected 0x%llx",
				 be32toh(s.ctrl->opmod_idx_opcode) >> 8 &
					 0xffff,
				 (unsigned long long)(q->taken & 0xffff));
	if (be32toh(s.ctrl->qpn_ds) >> 8 != q->qp->ibv.qp_num)
		nic_entry_refuse(entry, "queue pair 0x%x, expected 0x%x",
				 be32toh(s.ctrl->qpn_ds) >> 8,
				 q->qp->ibv.qp_num);
	ds = be32toh(s.ctrl->qpn_ds) & 0xff;
	if (!ds || ds > WQE_BYTES_MAX / 16)
		nic_entry_refuse(entry, "ds is %u, expected 1 to %u", ds,
				 WQE_BYTES_MAX / 16);
	n_blocks = (ds + 3) / 4;
	if (q->taken + n_blocks > q->rung)
		nic_entry_refuse(entry,
				 "its %u blocks are more than the "
				 "doorbell says: %llu in all",
				 n_blocks, (unsigned long long)q->rung);
	for (uint32_t i = 1; i < n_blocks; i++)
		nic_entry_load(entry, block_at(q, q->taken + i),
			       MLX5_BLOCK_BYTES);
	nic_entry_written(entry, ds * 16);
	return n_blocks;
}

static void check_head(const struct nic_entry *entry, const struct segments *s)
{
	const uint8_t flags = s->ctrl->fm_ce_se;
	const uint8_t fences = 7 << 5;

	nic_entry_zero(entry, "signature", s->ctrl->signature);
	nic_entry_zero(entry, "dci_stream", s->ctrl->dci_stream_channel_id);
	nic_entry_zero(entry, "imm", s->ctrl->imm);
	if (flags & ~(MLX5_WQE_CTRL_CQ_UPDATE | fences))
		nic_entry_refuse(entry,
				 "fm_ce_se is 0x%x, expected 0x%x or 0 "
				 "and a fence",
				 flags, MLX5_WQE_CTRL_CQ_UPDATE);
	if (s->n_data || be32toh(s->ctrl->qpn_ds) % 256 == 2)
		nic_entry_zero(entry, "raddr's reserved", s->raddr->reserved);
}

static void check_ds(const struct nic_entry *entry, uint32_t ds)
{
	const uint32_t has =
		be32toh(((const struct mlx5_wqe_ctrl_seg *)entry->data)
				->qpn_ds) &
		0xff;

	if (has != ds)
		nic_entry_refuse(entry, "ds is %u, expected %u", has, ds);
}

static void take_inline(const struct nic_entry *entry, const struct segments *s,
			struct nic_request *request)
{
	const uint32_t word = be32toh(*(const uint32_t *)s->data);
	const uint32_t bytes = word & ~MLX5_INLINE_SEG;
	const uint32_t max = entry->qp->cap.max_inline_data;

	if (!bytes || bytes > max || bytes > NIC_INLINE_BYTES)
		nic_entry_refuse(entry, "%u bytes inline, expected 1 to %u",
				 bytes, max);
	check_ds(entry, 2 + (4 + bytes + 15) / 16);
	request->inline_bytes = bytes;
	memcpy(request->inline_data, s->data + 4, bytes);
}

static void take_list(const struct nic_entry *entry, const struct segments *s,
		      uint32_t skipped, struct nic_request *request)
{
	const struct mlx5_wqe_data_seg *data = (const void *)s->data;
	const uint32_t n = s->n_data - skipped;
	const uint32_t max = entry->qp->cap.max_send_sge;

	if (n > max || n > NIC_SGES)
		nic_entry_refuse(entry,
				 "%u segments of data, expected at most "
				 "%u",
				 n, max);
	for (uint32_t i = 0; i < n; i++) {
		const struct mlx5_wqe_data_seg *seg = &data[skipped + i];
		const uint32_t bytes = be32toh(seg->byte_count);

		if (!bytes || bytes & MLX5_INLINE_SEG)
			nic_entry_refuse(entry,
					 "segment %u has byte_count "
					 "0x%x, expected 1 to 0x7fffffff",
					 2 + skipped + i, bytes);
		request->sge[request->n_sge++] = (struct nic_sge){
			.addr = be64toh(seg->addr),
			.bytes = bytes,
			.lkey = be32toh(seg->lkey),
		};
		request->bytes += bytes;
	}
}

static void take_write(const struct nic_entry *entry, const struct segments *s,
		       struct nic_request *request)
{
	request->op = NIC_WRITE;
	if (s->n_data && be32toh(*(const uint32_t *)s->data) & MLX5_INLINE_SEG)
		take_inline(entry, s, request);
	else
		take_list(entry, s, 0, request);
}

static void take_atomic(const struct nic_entry *entry, const struct segments *s,
			struct nic_request *request, enum nic_op op)
{
	const struct mlx5_wqe_atomic_seg *atomic = (const void *)s->data;

	check_ds(entry, 4);
	take_list(entry, s, 1, request);
	request->op = op;
	request->bytes = 8;
	request->data[0] = be64toh(atomic->swap_add);
	request->data[1] = be64toh(atomic->compare);
}

/* The bytes of an atomic of the extended kind, by its opmod; 0: none. */
static uint32_t masked_bytes(uint32_t opmod)
{
	return opmod == 8 ? 4 : opmod == 9 ? 8 : 0;
}

static void take_masked_swap(const struct nic_entry *entry,
			     const struct segments *s, uint32_t bytes,
			     struct nic_request *request)
{
	const uint64_t *words8 = (const uint64_t *)s->data;
	const uint32_t *words4 = (const uint32_t *)s->data;

	check_ds(entry, bytes == 8 ? 5 : 4);
	take_list(entry, s, bytes == 8 ? 2 : 1, request);
	request->op = NIC_MASKED_SWAP;
	for (int i = 0; i < 4; i++)
		request->data[i] =
			bytes == 8 ? be64toh(words8[i]) : be32toh(words4[i]);
}

static void take_masked_add(const struct nic_entry *entry,
			    const struct segments *s, uint32_t bytes,
			    struct nic_request *request)
{
	const uint64_t *words8 = (const uint64_t *)s->data;
	const uint32_t *words4 = (const uint32_t *)s->data;

	check_ds(entry, 4);
	if (bytes == 4)
		nic_entry_zero(entry, "masked add's reserved", words8[1]);
	take_list(entry, s, 1, request);
	request->op = NIC_MASKED_ADD;
	for (int i = 0; i < 2; i++)
		request->data[i] =
			bytes == 8 ? be64toh(words8[i]) : be32toh(words4[i]);
}

static void take_masked(const struct nic_entry *entry, const struct segments *s,
			struct nic_request *request)
{
	const uint32_t first = be32toh(s->ctrl->opmod_idx_opcode);
	const uint32_t bytes = masked_bytes(first >> 24);

	if (!bytes)
		nic_entry_refuse(entry,
				 "opmod 0x%x, expected 8 (4 bytes) or 9 "
				 "(8 bytes)",
				 first >> 24);
	if ((first & 0xff) == MLX5_OPCODE_ATOMIC_MASKED_CS)
		take_masked_swap(entry, s, bytes, request);
	else
		take_masked_add(entry, s, bytes, request);
	request->bytes = bytes;
	request->big_endian = bytes == 4;
}

static void take_plain(const struct nic_entry *entry, const struct segments *s,
		       struct nic_request *request)
{
	const uint32_t first = be32toh(s->ctrl->opmod_idx_opcode);

	nic_entry_zero(entry, "opmod", first >> 24);
	switch (first & 0xff) {
	case MLX5_OPCODE_RDMA_WRITE:
		take_write(entry, s, request);
		return;
	case MLX5_OPCODE_RDMA_READ:
		request->op = NIC_READ;
		take_list(entry, s, 0, request);
		return;
	case MLX5_OPCODE_ATOMIC_CS:
		take_atomic(entry, s, request, NIC_SWAP_IF);
		return;
	case MLX5_OPCODE_ATOMIC_FA:
		take_atomic(entry, s, request, NIC_ADD);
		return;
	case MLX5_OPCODE_NOP:
		check_ds(entry, 1);
		request->op = NIC_NOP;
		return;
	}
	nic_entry_refuse(entry,
			 "opcode 0x%x, expected 0x8 (write), 0x10 "
			 "(read), 0x11, 0x12, 0x14 or 0x15 (atomics)",
			 first & 0xff);
}

static void take_by_opcode(const struct nic_entry *entry,
			   struct nic_request *request)
{
	const struct segments s = segments_of(entry);
	const uint32_t opcode = be32toh(s.ctrl->opmod_idx_opcode) & 0xff;

	check_head(entry, &s);
	if (opcode != MLX5_OPCODE_NOP && (be32toh(s.ctrl->qpn_ds) & 0xff) < 2)
		nic_entry_refuse(entry, "ds is 1, expected 2 or more");
	request->signaled = s.ctrl->fm_ce_se & MLX5_WQE_CTRL_CQ_UPDATE;
	request->fence = s.ctrl->fm_ce_se >> 5;
	request->remote = be64toh(s.raddr->raddr);
	request->rkey = be32toh(s.raddr->rkey);
	if (opcode == MLX5_OPCODE_ATOMIC_MASKED_CS ||
	    opcode == MLX5_OPCODE_ATOMIC_MASKED_FA)
		take_masked(entry, &s, request);
	else
		take_plain(entry, &s, request);
	request->own[0] = opcode;
}

/* All but the head, whose index tells laps apart and which kernels may read. */
static void retire(const struct mlx5_queue *q, uint32_t n_blocks)
{
	nic_entry_retire(block_at(q, q->taken) + NIC_CHUNK_BYTES,
			 MLX5_BLOCK_BYTES - NIC_CHUNK_BYTES);
	for (uint32_t i = 1; i < n_blocks; i++)
		nic_entry_retire(block_at(q, q->taken + i), MLX5_BLOCK_BYTES);
}

int mlx5_take(struct nic_qp *qp, struct nic_request *request)
{
	struct mlx5_queue *q = qp->own;
	struct nic_entry entry = { .qp = qp, .decode = decode };
	uint32_t n_blocks;

	mlx5_uar_look(q->uar);
	if (q->taken == q->rung)
		return 0;
	entry.place = q->taken;
	entry.slot = (uint32_t)(q->taken & (q->n_blocks - 1));
	memset(request, 0, sizeof(*request));
	n_blocks = entry_read(q, &entry);
	take_by_opcode(&entry, request);
	nic_entry_check(&entry, request);
	retire(q, n_blocks);
	request->place = q->taken;
	request->own[1] = n_blocks;
	q->taken += n_blocks;
	nic_counts.entries++;
	return 1;
}
