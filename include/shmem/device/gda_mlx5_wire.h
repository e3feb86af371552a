/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What mlx5's NICs read and write: entries of segments of 16 bytes, the first
 * three or four of a block. All numbers are big-endian.
 *
 *   write, read    control, remote, data
 *   inline write   control, remote, inline: its head, then the bytes
 *   atomic         control, remote, one of the five (swap64 is two), data
 */
#ifndef SHMEM_DEVICE_GDA_MLX5_WIRE_H
#define SHMEM_DEVICE_GDA_MLX5_WIRE_H

#include <shmem/device/gda_wire.h>

#define GDA_MLX5_BLOCK_BYTES 64
#define GDA_MLX5_SEGMENT_BYTES 16
#define GDA_MLX5_MASKED 1 /* own[0]: it has masked atomics */

enum gda_mlx5_opcode {
	GDA_MLX5_WRITE = 0x08,
	GDA_MLX5_READ = 0x10,
	GDA_MLX5_SWAP_IF = 0x11,
	GDA_MLX5_ADD = 0x12,
	GDA_MLX5_MASKED_SWAP = 0x14,
	GDA_MLX5_MASKED_ADD = 0x15
};

/* Of masked atomics: what the opcode's modifier says of their size. */
enum gda_mlx5_modifier { GDA_MLX5_BYTES_4 = 0x08, GDA_MLX5_BYTES_8 = 0x09 };

struct gda_mlx5_control {
	uint32_t opcode; /* modifier << 24 | place << 8 | opcode; 16 bits */
	uint32_t number; /* of the queue pair << 8 | segments */
	uint32_t flags;	 /* the lowest byte: GDA_MLX5_COMPLETES */
	uint32_t immediate;
};
#define GDA_MLX5_COMPLETES 0x08

struct gda_mlx5_remote {
	uint64_t address;
	uint32_t key;
	uint32_t unused;
};

struct gda_mlx5_data {
	uint32_t bytes; /* of local memory; or GDA_MLX5_INLINE_HEAD | bytes */
	uint32_t key;
	uint64_t address;
};
#define GDA_MLX5_INLINE_HEAD 0x80000000u

struct gda_mlx5_plain { /* SWAP_IF and ADD */
	uint64_t value;
	uint64_t compare;
};

struct gda_mlx5_swap32 {
	uint32_t value, compare;
	uint32_t value_mask, compare_mask;
};

struct gda_mlx5_swap64 {
	uint64_t value, compare;
	uint64_t value_mask, compare_mask;
};

struct gda_mlx5_add32 {
	uint32_t value, boundary; /* no carry leaves a bit that is set */
	uint64_t unused;
};

struct gda_mlx5_add64 {
	uint64_t value, boundary;
};

/* vendor and syndrome: if the opcode says that it is an error. */
struct gda_mlx5_completion {
	uint8_t unused[54];
	uint8_t vendor;
	uint8_t syndrome;
	uint32_t opcode; /* of the entry << 24 | number */
	uint16_t place;	 /* of the entry's first block */
	uint8_t signature;
	uint8_t owner; /* opcode << 4 | format << 2 | the NIC's lap & 1 */
};

enum gda_mlx5_completion_opcode {
	GDA_MLX5_CQE_DONE = 0,
	GDA_MLX5_CQE_ERROR = 13,
	GDA_MLX5_CQE_RESPONDER_ERROR = 14,
	GDA_MLX5_CQE_NONE = 15
};

/* Syndromes. */
enum gda_mlx5_syndrome {
	GDA_MLX5_LOCAL_LENGTH = 0x01,
	GDA_MLX5_LOCAL_OPERATION = 0x02,
	GDA_MLX5_LOCAL_PROTECTION = 0x04,
	GDA_MLX5_FLUSHED = 0x05,
	GDA_MLX5_LOCAL_WINDOW = 0x06,
	GDA_MLX5_BAD_RESPONSE = 0x10,
	GDA_MLX5_LOCAL_ACCESS = 0x11,
	GDA_MLX5_REMOTE_REQUEST = 0x12,
	GDA_MLX5_REMOTE_ACCESS = 0x13,
	GDA_MLX5_REMOTE_OPERATION = 0x14,
	GDA_MLX5_RETRIES = 0x15,
	GDA_MLX5_RECEIVER_RETRIES = 0x16,
	GDA_MLX5_REMOTE_ABORTED = 0x22
};

GDA_ASSERT_SIZE(gda_mlx5_control, 16);
GDA_ASSERT_AT(gda_mlx5_control, number, 4);
GDA_ASSERT_AT(gda_mlx5_control, flags, 8);
GDA_ASSERT_AT(gda_mlx5_control, immediate, 12);
GDA_ASSERT_SIZE(gda_mlx5_remote, 16);
GDA_ASSERT_AT(gda_mlx5_remote, key, 8);
GDA_ASSERT_SIZE(gda_mlx5_data, 16);
GDA_ASSERT_AT(gda_mlx5_data, key, 4);
GDA_ASSERT_AT(gda_mlx5_data, address, 8);
GDA_ASSERT_SIZE(gda_mlx5_plain, 16);
GDA_ASSERT_SIZE(gda_mlx5_swap32, 16);
GDA_ASSERT_AT(gda_mlx5_swap32, value_mask, 8);
GDA_ASSERT_SIZE(gda_mlx5_swap64, 32);
GDA_ASSERT_AT(gda_mlx5_swap64, value_mask, 16);
GDA_ASSERT_SIZE(gda_mlx5_add32, 16);
GDA_ASSERT_AT(gda_mlx5_add32, boundary, 4);
GDA_ASSERT_SIZE(gda_mlx5_add64, 16);
GDA_ASSERT_SIZE(gda_mlx5_completion, 64);
GDA_ASSERT_AT(gda_mlx5_completion, vendor, 54);
GDA_ASSERT_AT(gda_mlx5_completion, syndrome, 55);
GDA_ASSERT_AT(gda_mlx5_completion, opcode, 56);
GDA_ASSERT_AT(gda_mlx5_completion, place, 60);
GDA_ASSERT_AT(gda_mlx5_completion, owner, 63);

#endif
