/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What kernels and the host's thread tell each other of a queue that the thread
 * posts. All in the host's order.
 */
#ifndef SHMEM_DEVICE_GDA_VERBS_WIRE_H
#define SHMEM_DEVICE_GDA_VERBS_WIRE_H

#include <shmem/device/gda_wire.h>

#define GDA_VERBS_ENTRY_BYTES 64

struct gda_verbs_entry {
	uint16_t kind;	    /* enum gda_kind */
	uint16_t completes; /* 1: it wants a completion */
	uint32_t bytes;
	uint64_t remote;
	uint64_t local;
	uint32_t remote_key;
	uint32_t local_key;
	uint64_t data[4]; /* as in struct gda_op */
};

struct gda_verbs_done {
	uint64_t done;
	uint32_t code;
	uint32_t vendor;
};

GDA_ASSERT_SIZE(gda_verbs_entry, GDA_VERBS_ENTRY_BYTES);
GDA_ASSERT_AT(gda_verbs_entry, completes, 2);
GDA_ASSERT_AT(gda_verbs_entry, bytes, 4);
GDA_ASSERT_AT(gda_verbs_entry, remote, 8);
GDA_ASSERT_AT(gda_verbs_entry, local, 16);
GDA_ASSERT_AT(gda_verbs_entry, remote_key, 24);
GDA_ASSERT_AT(gda_verbs_entry, local_key, 28);
GDA_ASSERT_AT(gda_verbs_entry, data, 32);
GDA_ASSERT_SIZE(gda_verbs_done, 16);
GDA_ASSERT_AT(gda_verbs_done, code, 8);

#endif
