/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gda_op.h's functions without the x, by the format that all queues have, and
 * gda_inline_bytes for GDA_X_INLINE. The block knows the format, so that all
 * lanes take the same way. One that has none does as most do.
 */
#ifndef SHMEM_DEVICE_GDA_FORMAT_H
#define SHMEM_DEVICE_GDA_FORMAT_H

#include <shmem/device/gda_bnxt.h>
#include <shmem/device/gda_ionic.h>
#include <shmem/device/gda_mlx5.h>
#include <shmem/device/gda_verbs.h>

SHMEMD_FN unsigned int gda_inline_bytes(void)
{
	switch (shmemd_block.gda.format) {
	case SHMEMD_GDA_MLX5:
		return GDA_MLX5_INLINE;
	case SHMEMD_GDA_BNXT:
		return GDA_BNXT_INLINE;
	case SHMEMD_GDA_IONIC:
		return GDA_IONIC_INLINE;
	case SHMEMD_GDA_VERBS:
		return GDA_VERBS_INLINE;
	}
	return 0;
}

SHMEMD_FN unsigned int gda_places(const struct gda_op *op)
{
	if (shmemd_block.gda.format == SHMEMD_GDA_MLX5)
		return gda_mlx5_places(op);
	return 1;
}

SHMEMD_FN int gda_amo(const struct shmemd_gda_queue *q, struct gda_op *op,
		      enum shmemd_amo amo)
{
	if (shmemd_block.gda.format == SHMEMD_GDA_MLX5)
		return gda_mlx5_amo(q, op, amo);
	return gda_plain_amo(op, amo);
}

SHMEMD_FN uint64_t gda_result(const struct shmemd_gda_queue *q,
			      unsigned int bytes, uint64_t word)
{
	if (shmemd_block.gda.format == SHMEMD_GDA_MLX5)
		return gda_mlx5_result(q, bytes, word);
	return word;
}

SHMEMD_FN void gda_write(const struct shmemd_gda_queue *q, uint64_t at,
			 const struct gda_op *op, int completes)
{
	switch (shmemd_block.gda.format) {
	case SHMEMD_GDA_MLX5:
		gda_mlx5_write(q, at, op, completes);
		break;
	case SHMEMD_GDA_BNXT:
		gda_bnxt_write(q, at, op, completes);
		break;
	case SHMEMD_GDA_IONIC:
		gda_ionic_write(q, at, op, completes);
		break;
	case SHMEMD_GDA_VERBS:
		gda_verbs_write(q, at, op, completes);
		break;
	}
}

SHMEMD_FN void gda_seal(struct shmemd_gda_queue *q,
			const struct shmemd_gang *gang, uint64_t at,
			const struct gda_op *op)
{
	if (shmemd_block.gda.format == SHMEMD_GDA_BNXT)
		gda_bnxt_seal(q, gang, at, op);
}

SHMEMD_FN void gda_record(const struct shmemd_gda_queue *q, uint64_t upto)
{
	if (shmemd_block.gda.format == SHMEMD_GDA_MLX5)
		gda_mlx5_record(q, upto);
}

SHMEMD_FN void gda_ring(const struct shmemd_gda_queue *q, uint64_t upto)
{
	switch (shmemd_block.gda.format) {
	case SHMEMD_GDA_MLX5:
		gda_mlx5_ring(q, upto);
		break;
	case SHMEMD_GDA_BNXT:
		gda_bnxt_ring(q, upto);
		break;
	case SHMEMD_GDA_IONIC:
		gda_ionic_ring(q, upto);
		break;
	case SHMEMD_GDA_VERBS:
		gda_verbs_ring(q, upto);
		break;
	}
}

/* By any code, of a queue of any format. */
SHMEMD_FN int gda_poll_as(uint32_t format, struct shmemd_gda_queue *q,
			  struct gda_status *status)
{
	switch (format) {
	case SHMEMD_GDA_MLX5:
		return gda_mlx5_poll(q, status);
	case SHMEMD_GDA_BNXT:
		return gda_bnxt_poll(q, status);
	case SHMEMD_GDA_IONIC:
		return gda_ionic_poll(q, status);
	case SHMEMD_GDA_VERBS:
		return gda_verbs_poll(q, status);
	}
	return 0;
}

SHMEMD_FN int gda_poll(struct shmemd_gda_queue *q, struct gda_status *status)
{
	return gda_poll_as(shmemd_block.gda.format, q, status);
}

#endif
