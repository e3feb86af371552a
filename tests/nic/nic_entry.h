/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the engines of vendors' formats share: registers, entries as they were
 * read, and how a wrong one is refused: with what was expected, its fields by
 * name and all its bytes, on stderr; then abort().
 */
#ifndef NIC_ENTRY_H
#define NIC_ENTRY_H

#include <stdio.h>

#include "nic.h"

/*
 * A register is a word in plain memory. A NIC's own takes each store by itself;
 * this one is looked at now and then and put back to what no doorbell has, so
 * that of stores in between the last counts.
 */
#define NIC_REGISTER_QUIET UINT64_MAX
#define NIC_PAGE_BYTES 4096

/* A page of registers; never unmapped, as kernels may have mapped it. */
uint64_t *nic_registers_new(void);
void nic_registers_free(uint64_t *page);
/* 1: it was written since; the last value. */
int nic_register_take(uint64_t *word, uint64_t *value);

#define NIC_ENTRY_BYTES 1024
#define NIC_CHUNK_BYTES 16 /* that kernels store at once */

struct nic_entry {
	const struct nic_qp *qp;
	uint64_t place; /* in what the format counts; never wraps */
	uint32_t slot;	/* of the ring */
	size_t bytes;	/* of data */
	/* Prints the fields, by nic_field. */
	void (*decode)(FILE *out, const struct nic_entry *entry);
	uint8_t data[NIC_ENTRY_BYTES] __attribute__((aligned(16)));
};

void nic_field(FILE *out, const char *name, uint64_t value);

/* Adds bytes of the ring to what was read. */
void nic_entry_load(struct nic_entry *entry, const void *from, size_t bytes);
/*
 * Refuses an entry whose first bytes the kernel did not write since the lap
 * before: what was taken is overwritten by retire, which the NIC would not do,
 * so that nothing old is taken for new. At most 64 bytes a call.
 */
void nic_entry_written(const struct nic_entry *entry, size_t bytes);
void nic_entry_retire(void *in_ring, size_t bytes);
/* No word of it is as retire left it. */
int nic_entry_is_whole(const void *in_ring, size_t bytes);

__attribute__((noreturn, format(printf, 2, 3))) void
nic_entry_refuse(const struct nic_entry *entry, const char *format, ...);
/* Refuses what a doorbell says, or a queue's completions. */
__attribute__((noreturn, format(printf, 2, 3))) void
nic_queue_refuse(const struct nic_qp *qp, const char *format, ...);

/* Refuses nonzero values of fields that are reserved. */
void nic_entry_zero(const struct nic_entry *entry, const char *field,
		    uint64_t value);

/*
 * Refuses local memory that the queue's PD does not know, or not for this, and
 * atomics that are not aligned.
 */
void nic_entry_check(const struct nic_entry *entry,
		     const struct nic_request *request);

#endif
