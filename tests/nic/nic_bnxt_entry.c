/* SPDX-License-Identifier: BSD-3-Clause */
#include <endian.h>
#include <string.h>

#include "nic_bnxt.h"

#define PSN_MASK 0xffffffu

enum { OP_WRITE = 0x4, OP_READ = 0x6, OP_SWAP_IF = 0x8, OP_ADD = 0xb };

enum { FLAG_SIGNALED = 0x1, FLAG_INLINE = 0x10 };

/* All little-endian. */
struct head {
	uint32_t rsv_ws_fl_wt; /* size in slots << 16 | flags << 8 | opcode */
	uint32_t key_immd;     /* of an atomic, the remote key */
	uint64_t length_or_va; /* of an atomic, the remote address */
};

struct remote {
	uint64_t rva;
	uint32_t rkey;
	uint32_t reserved;
};

struct operands {
	uint64_t swp_dt, cmp_dt;
};

struct local {
	uint64_t pa;
	uint32_t lkey;
	uint32_t length;
};

struct slots {
	struct head head;
	union {
		struct remote remote;
		struct operands operands;
	};
	union {
		struct local local;
		uint8_t data[16];
	};
};
_Static_assert(sizeof(struct slots) == 3 * BNXT_SLOT_BYTES, "the NIC's");

static const struct slots *slots_of(const struct nic_entry *entry)
{
	return (const struct slots *)entry->data;
}

static uint32_t flags_of(const struct slots *s)
{
	return le32toh(s->head.rsv_ws_fl_wt) >> 8 & 0xff;
}

static uint32_t opcode_of(const struct slots *s)
{
	return le32toh(s->head.rsv_ws_fl_wt) & 0xff;
}

static void decode(FILE *out, const struct nic_entry *entry)
{
	const struct slots *s = slots_of(entry);
	const uint32_t word = le32toh(s->head.rsv_ws_fl_wt);

	nic_field(out, "opcode", word & 0xff);
	nic_field(out, "flags", word >> 8 & 0xff);
	nic_field(out, "size", word >> 16 & 0xff);
	nic_field(out, "reserved", word >> 24);
	nic_field(out, "key_immd", le32toh(s->head.key_immd));
	nic_field(out, "length/rva", le64toh(s->head.length_or_va));
	nic_field(out, "rva/swp_dt", le64toh(s->operands.swp_dt));
	nic_field(out, "rkey/cmp_dt", le64toh(s->operands.cmp_dt));
	nic_field(out, "pa", le64toh(s->local.pa));
	nic_field(out, "lkey", le32toh(s->local.lkey));
	nic_field(out, "length", le32toh(s->local.length));
}

/* --- Doorbells --- */

/*
 * Slots of the ring in 24 bits, then the parity of its laps, then who: 1 << 26
 * says that it is valid, 0 << 28 that it is a send queue's.
 */
static void doorbell(struct bnxt_queue *q, uint64_t value)
{
	const uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
	const uint32_t index = low & 0xffffff, epoch = low >> 24 & 1;
	const uint32_t laps = 2 * q->n;
	uint32_t more;

	if (low >> 25 || high >> 20 != 1 << 6)
		nic_queue_refuse(q->qp,
				 "doorbell 0x%016llx: expected the type "
				 "0 (send queue), valid, no toggle and zeroes",
				 (unsigned long long)value);
	if (index % q->slots || index >= q->n * q->slots)
		nic_queue_refuse(q->qp,
				 "doorbell 0x%016llx: slot %u, expected "
				 "one of %u in steps of %u",
				 (unsigned long long)value, index,
				 q->n * q->slots, q->slots);
	more = (epoch * q->n + index / q->slots + laps -
		(uint32_t)(q->rung % laps)) %
	       laps;
	if (q->rung + more - q->done > q->n)
		nic_queue_refuse(q->qp,
				 "doorbell 0x%016llx: entry %u of lap "
				 "%u (of 2) after %llu entries of which %llu "
				 "have completed: it goes back, or laps a ring "
				 "of %u",
				 (unsigned long long)value, index / q->slots,
				 epoch, (unsigned long long)q->rung,
				 (unsigned long long)q->done, q->n);
	q->rung += more;
}

static void region_look(struct bnxt_region *region)
{
	struct bnxt_queue *q = region->queues;
	uint64_t value;
	uint32_t number;

	if (!nic_register_take(region->attr.dbr, &value))
		return;
	number = (uint32_t)(value >> 32) & 0xfffff;
	while (q && q->qp->ibv.qp_num != number)
		q = q->next;
	if (!q)
		nic_queue_refuse(region->queues->qp,
				 "its region has a "
				 "doorbell for queue pair 0x%x: 0x%016llx",
				 number, (unsigned long long)value);
	doorbell(q, value);
}

/* --- Entries --- */

static void check_head(const struct nic_entry *entry,
		       const struct bnxt_queue *q)
{
	const struct slots *s = slots_of(entry);
	const uint32_t word = le32toh(s->head.rsv_ws_fl_wt);

	nic_entry_zero(entry, "the head's reserved", word >> 24);
	if ((word >> 16 & 0xff) != q->slots)
		nic_entry_refuse(entry, "a size of %u slots, expected %u",
				 word >> 16 & 0xff, q->slots);
	if (flags_of(s) & ~(uint32_t)(FLAG_SIGNALED | FLAG_INLINE))
		nic_entry_refuse(entry,
				 "flags 0x%x, expected 0x1 (signaled), "
				 "0x10 (inline) or 0",
				 flags_of(s));
}

static void take_local(const struct nic_entry *entry, uint64_t length,
		       struct nic_request *request)
{
	const struct local *local = &slots_of(entry)->local;

	if (le32toh(local->length) != length)
		nic_entry_refuse(entry,
				 "the source has %u bytes, the head "
				 "%llu",
				 le32toh(local->length),
				 (unsigned long long)length);
	request->n_sge = 1;
	request->bytes = (uint32_t)length;
	request->sge[0] = (struct nic_sge){
		.addr = le64toh(local->pa),
		.bytes = (uint32_t)length,
		.lkey = le32toh(local->lkey),
	};
}

static void take_inline(const struct nic_entry *entry, uint64_t length,
			struct nic_request *request)
{
	const uint32_t max = entry->qp->cap.max_inline_data;

	if (!length || length > max)
		nic_entry_refuse(entry, "%llu bytes inline, expected 1 to %u",
				 (unsigned long long)length, max);
	request->inline_bytes = (uint32_t)length;
	memcpy(request->inline_data, slots_of(entry)->data, length);
}

static void take_transfer(const struct nic_entry *entry, enum nic_op op,
			  struct nic_request *request)
{
	const struct slots *s = slots_of(entry);
	const uint64_t length = le64toh(s->head.length_or_va);

	nic_entry_zero(entry, "key_immd", s->head.key_immd);
	nic_entry_zero(entry, "rkey's reserved", s->remote.reserved);
	nic_entry_zero(entry, "length's upper half", length >> 32);
	request->op = op;
	request->remote = le64toh(s->remote.rva);
	request->rkey = le32toh(s->remote.rkey);
	if (!(flags_of(s) & FLAG_INLINE))
		take_local(entry, length, request);
	else if (op == NIC_WRITE)
		take_inline(entry, length, request);
	else
		nic_entry_refuse(entry, "only a write may be inline");
}

static void take_atomic(const struct nic_entry *entry, enum nic_op op,
			struct nic_request *request)
{
	const struct slots *s = slots_of(entry);

	if (flags_of(s) & FLAG_INLINE)
		nic_entry_refuse(entry, "only a write may be inline");
	request->op = op;
	request->rkey = le32toh(s->head.key_immd);
	request->remote = le64toh(s->head.length_or_va);
	request->data[0] = le64toh(s->operands.swp_dt);
	request->data[1] = le64toh(s->operands.cmp_dt);
	take_local(entry, 8, request);
}

static void take_by_opcode(const struct nic_entry *entry,
			   struct nic_request *request)
{
	const struct slots *s = slots_of(entry);

	request->signaled = flags_of(s) & FLAG_SIGNALED;
	switch (opcode_of(s)) {
	case OP_WRITE:
		take_transfer(entry, NIC_WRITE, request);
		return;
	case OP_READ:
		take_transfer(entry, NIC_READ, request);
		return;
	case OP_SWAP_IF:
		take_atomic(entry, NIC_SWAP_IF, request);
		return;
	case OP_ADD:
		take_atomic(entry, NIC_ADD, request);
		return;
	}
	nic_entry_refuse(entry,
			 "opcode 0x%x, expected 0x4 (write), 0x6 "
			 "(read), 0x8 or 0xb (atomics)",
			 opcode_of(s));
}

/*
 * The table says of each message where it begins and which packets it has,
 * which the NIC needs to send again. Atomics and messages without bytes have
 * one packet.
 */
static void check_table(const struct nic_entry *entry, struct bnxt_queue *q,
			const struct nic_request *request)
{
	const uint32_t mtu = 128u << q->qp->attr.path_mtu;
	const uint64_t bytes = request->inline_bytes + request->bytes;
	const uint32_t n = bytes ? (uint32_t)((bytes + mtu - 1) / mtu) : 1;
	const uint32_t next = (q->psn + n) & PSN_MASK;
	const uint32_t at = (uint32_t)(q->taken & (q->n_table - 1));
	const uint64_t has =
		le64toh(nic_load64(q->table + (size_t)at * BNXT_TABLE_BYTES));
	const uint64_t expected = (uint64_t)(entry->slot * q->slots) << 48 |
				  (uint64_t)next << 24 | q->psn;

	if (has != expected)
		nic_entry_refuse(entry,
				 "message %u of the table is slot %u, "
				 "next packet 0x%06x, first 0x%06x; expected "
				 "slot %u, 0x%06x, 0x%06x",
				 at, (uint32_t)(has >> 48),
				 (uint32_t)(has >> 24) & PSN_MASK,
				 (uint32_t)has & PSN_MASK,
				 entry->slot * q->slots, next, q->psn);
	q->psn = next;
}

int bnxt_take(struct nic_qp *qp, struct nic_request *request)
{
	struct bnxt_queue *q = qp->own;
	struct nic_entry entry = { .qp = qp, .decode = decode };
	char *from;

	if (!q->n)
		return 0;
	region_look(q->region);
	if (q->taken == q->rung)
		return 0;
	entry.place = q->taken;
	entry.slot = (uint32_t)(q->taken % q->n);
	from = q->entries + (size_t)entry.slot * q->slots * BNXT_SLOT_BYTES;
	memset(request, 0, sizeof(*request));
	nic_entry_load(&entry, from, (size_t)q->slots * BNXT_SLOT_BYTES);
	nic_entry_written(&entry, sizeof(struct slots));
	check_head(&entry, q);
	take_by_opcode(&entry, request);
	nic_entry_check(&entry, request);
	check_table(&entry, q, request);
	nic_entry_retire(from, (size_t)q->slots * BNXT_SLOT_BYTES);
	request->place = q->taken++;
	nic_counts.entries++;
	return 1;
}
