/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ionic's NICs read and write: entries of 64 bytes. Numbers are big-endian
 * but for those of a name that ends in _le.
 *
 *   write, read    head, remote, one local, 16 bytes of 0
 *   inline write   head, remote, 32 bytes of data
 *   atomic         head, then struct gda_ionic_atomic
 */
#ifndef SHMEM_DEVICE_GDA_IONIC_WIRE_H
#define SHMEM_DEVICE_GDA_IONIC_WIRE_H

#include <shmem/device/gda_wire.h>

#define GDA_IONIC_ENTRY_BYTES 64

enum gda_ionic_opcode {
	GDA_IONIC_READ = 0x02,
	GDA_IONIC_SWAP_IF = 0x04,
	GDA_IONIC_ADD = 0x05,
	GDA_IONIC_WRITE = 0x21
};

enum gda_ionic_flags {
	GDA_IONIC_INLINE_DATA = 0x04,
	GDA_IONIC_COMPLETES = 0x08,
	GDA_IONIC_COLOUR = 0x10
};

struct gda_ionic_head {
	uint64_t index_le; /* of the entry in the ring */
	uint8_t opcode;
	uint8_t n_locals;
	uint16_t flags;
	uint32_t immediate;
};

struct gda_ionic_remote {
	uint64_t address;
	uint32_t key;
	uint32_t bytes;
};

struct gda_ionic_local {
	uint64_t address;
	uint32_t bytes;
	uint32_t key;
};

/* Halves of what is not aligned to 8 bytes. */
struct gda_ionic_atomic {
	uint64_t address;
	uint32_t key;
	uint32_t value_high, value_low;
	uint32_t compare_high, compare_low;
	uint32_t local_key;
	uint64_t local_address;
	uint64_t unused;
};

struct gda_ionic_completion {
	uint32_t unused;
	uint32_t n_messages; /* done, of the queue; 24 bits */
	uint64_t unused2;
	uint64_t index_le; /* of the entry, for those done locally; 16 bits */
	uint32_t status;   /* of an error; else the length */
	uint32_t flags;	   /* number << 8 | type << 5 | GDA_IONIC_CQE_* */
};

enum gda_ionic_completion_flags {
	GDA_IONIC_CQE_COLOUR = 1,
	GDA_IONIC_CQE_ERROR = 2,
	GDA_IONIC_CQE_MESSAGES = 2, /* types: n_messages is valid */
	GDA_IONIC_CQE_LOCAL = 3	    /* index_le is */
};

/* The doorbell's value is an index, and the queue's number above it. */
#define GDA_IONIC_DOORBELL_SHIFT 24

enum gda_ionic_status {
	GDA_IONIC_OK,
	GDA_IONIC_LOCAL_LENGTH,
	GDA_IONIC_LOCAL_OPERATION,
	GDA_IONIC_LOCAL_PROTECTION,
	GDA_IONIC_FLUSHED,
	GDA_IONIC_LOCAL_MEMORY,
	GDA_IONIC_BAD_RESPONSE,
	GDA_IONIC_LOCAL_ACCESS,
	GDA_IONIC_REMOTE_REQUEST,
	GDA_IONIC_REMOTE_ACCESS,
	GDA_IONIC_REMOTE_OPERATION,
	GDA_IONIC_RETRIES,
	GDA_IONIC_RECEIVER_RETRIES
};

GDA_ASSERT_SIZE(gda_ionic_head, 16);
GDA_ASSERT_AT(gda_ionic_head, opcode, 8);
GDA_ASSERT_AT(gda_ionic_head, n_locals, 9);
GDA_ASSERT_AT(gda_ionic_head, flags, 10);
GDA_ASSERT_AT(gda_ionic_head, immediate, 12);
GDA_ASSERT_SIZE(gda_ionic_remote, 16);
GDA_ASSERT_AT(gda_ionic_remote, key, 8);
GDA_ASSERT_AT(gda_ionic_remote, bytes, 12);
GDA_ASSERT_SIZE(gda_ionic_local, 16);
GDA_ASSERT_AT(gda_ionic_local, bytes, 8);
GDA_ASSERT_AT(gda_ionic_local, key, 12);
GDA_ASSERT_SIZE(gda_ionic_atomic, 48);
GDA_ASSERT_AT(gda_ionic_atomic, key, 8);
GDA_ASSERT_AT(gda_ionic_atomic, value_high, 12);
GDA_ASSERT_AT(gda_ionic_atomic, compare_high, 20);
GDA_ASSERT_AT(gda_ionic_atomic, local_key, 28);
GDA_ASSERT_AT(gda_ionic_atomic, local_address, 32);
GDA_ASSERT_SIZE(gda_ionic_completion, 32);
GDA_ASSERT_AT(gda_ionic_completion, n_messages, 4);
GDA_ASSERT_AT(gda_ionic_completion, index_le, 16);
GDA_ASSERT_AT(gda_ionic_completion, status, 24);
GDA_ASSERT_AT(gda_ionic_completion, flags, 28);

#endif
