/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What bnxt_re's NICs read and write: entries of slots of 16 bytes. All numbers
 * are little-endian.
 *
 *   write, read    head, remote, source
 *   inline write   head, remote, 16 bytes of data
 *   atomic         head (with the remote address), values, source
 */
#ifndef SHMEM_DEVICE_GDA_BNXT_WIRE_H
#define SHMEM_DEVICE_GDA_BNXT_WIRE_H

#include <shmem/device/gda_wire.h>

#define GDA_BNXT_SLOT_BYTES 16
#define GDA_BNXT_SLOTS 3 /* of an entry */
#define GDA_BNXT_ENTRY_BYTES (GDA_BNXT_SLOTS * GDA_BNXT_SLOT_BYTES)

enum gda_bnxt_opcode {
	GDA_BNXT_WRITE = 0x04,
	GDA_BNXT_READ = 0x06,
	GDA_BNXT_SWAP_IF = 0x08,
	GDA_BNXT_ADD = 0x0b
};

enum gda_bnxt_flags { GDA_BNXT_COMPLETES = 0x01, GDA_BNXT_INLINE_DATA = 0x10 };

struct gda_bnxt_head {
	uint32_t opcode; /* slots << 16 | flags << 8 | opcode */
	uint32_t key;	 /* of an atomic: the remote one; else 0 */
	uint64_t bytes;	 /* of an atomic: the remote address */
};

struct gda_bnxt_remote {
	uint64_t address;
	uint32_t key;
	uint32_t unused;
};

struct gda_bnxt_values {
	uint64_t value; /* what is added, too */
	uint64_t compare;
};

struct gda_bnxt_source {
	uint64_t address;
	uint32_t key;
	uint32_t bytes;
};

/*
 * A message in the table of those that may be sent again:
 * first slot of its entry << 48 | packet after its last << 24 | its first one.
 */
struct gda_bnxt_message {
	uint64_t slot_next_first;
};
#define GDA_BNXT_PACKET_MASK 0xffffffu

/*
 * Doorbell of a send queue: index is the slot after the last entry's, with
 * GDA_BNXT_EPOCH in every other lap of the ring.
 */
struct gda_bnxt_doorbell {
	uint32_t index;
	uint32_t number; /* of the queue pair | GDA_BNXT_DOORBELL_SEND */
};
#define GDA_BNXT_EPOCH (1u << 24)
#define GDA_BNXT_NUMBER_MASK 0xfffffu
#define GDA_BNXT_DOORBELL_SEND (1u << 26) /* valid, of kind 0 */

struct gda_bnxt_completion {
	uint64_t queue;
	uint32_t index; /* 16 bits: entry after the last one done */
	uint32_t unused;
	uint64_t unused2;
	uint32_t status; /* ... | status << 8 | type << 1 | phase */
	uint32_t unused3;
};

enum gda_bnxt_status {
	GDA_BNXT_OK = 0x00,
	GDA_BNXT_BAD_RESPONSE = 0x01,
	GDA_BNXT_LOCAL_LENGTH = 0x02,
	GDA_BNXT_LOCAL_OPERATION = 0x03,
	GDA_BNXT_LOCAL_PROTECTION = 0x04,
	GDA_BNXT_LOCAL_MEMORY = 0x05,
	GDA_BNXT_REMOTE_REQUEST = 0x06,
	GDA_BNXT_REMOTE_ACCESS = 0x07,
	GDA_BNXT_REMOTE_OPERATION = 0x08,
	GDA_BNXT_RECEIVER_RETRIES = 0x09,
	GDA_BNXT_RETRIES = 0x0a,
	GDA_BNXT_FLUSHED = 0x0b
};

GDA_ASSERT_SIZE(gda_bnxt_head, 16);
GDA_ASSERT_AT(gda_bnxt_head, key, 4);
GDA_ASSERT_AT(gda_bnxt_head, bytes, 8);
GDA_ASSERT_SIZE(gda_bnxt_remote, 16);
GDA_ASSERT_AT(gda_bnxt_remote, key, 8);
GDA_ASSERT_SIZE(gda_bnxt_values, 16);
GDA_ASSERT_SIZE(gda_bnxt_source, 16);
GDA_ASSERT_AT(gda_bnxt_source, key, 8);
GDA_ASSERT_AT(gda_bnxt_source, bytes, 12);
GDA_ASSERT_SIZE(gda_bnxt_message, 8);
GDA_ASSERT_SIZE(gda_bnxt_doorbell, 8);
GDA_ASSERT_SIZE(gda_bnxt_completion, 32);
GDA_ASSERT_AT(gda_bnxt_completion, index, 8);
GDA_ASSERT_AT(gda_bnxt_completion, status, 24);

#endif
