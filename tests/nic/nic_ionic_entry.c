/* SPDX-License-Identifier: BSD-3-Clause */
#include <endian.h>
#include <string.h>

#include "nic_impl.h"
#include "nic_ionic.h"

#define HIDDEN_NS 20000000
#define LINES_A_LOOK 8 /* so that all are seen every few turns */

enum { OP_READ = 0x02, OP_SWAP_IF = 0x04, OP_ADD = 0x05, OP_WRITE = 0x21 };

enum { FLAG_INLINE = 0x4, FLAG_SIGNALED = 0x8, FLAG_COLOUR = 0x10 };

/* All big-endian but for the index. */
struct head {
	uint64_t wqe_idx;
	uint8_t op;
	uint8_t num_sge_key;
	uint16_t flags;
	uint32_t imm_data_key;
};

struct sge {
	uint64_t va;
	uint32_t len;
	uint32_t lkey;
};

struct transfer {
	uint32_t va_high, va_low;
	uint32_t rkey;
	uint32_t length;
	union {
		struct sge sgl[2];
		uint8_t data[IONIC_INLINE_BYTES];
	};
};

struct atomic {
	uint32_t va_high, va_low;
	uint32_t rkey;
	uint32_t swap_add_high, swap_add_low;
	uint32_t compare_high, compare_low;
	uint32_t lkey;
	uint64_t local_va;
	uint64_t reserved;
};

struct wqe {
	struct head head;
	union {
		struct transfer transfer;
		struct atomic atomic;
	};
};
_Static_assert(sizeof(struct wqe) == IONIC_ENTRY_BYTES, "the NIC's");

static const struct wqe *wqe_of(const struct nic_entry *entry)
{
	return (const struct wqe *)entry->data;
}

static uint64_t joined(uint32_t high, uint32_t low)
{
	return (uint64_t)be32toh(high) << 32 | be32toh(low);
}

static void decode_atomic(FILE *out, const struct atomic *a)
{
	nic_field(out, "swap_add", joined(a->swap_add_high, a->swap_add_low));
	nic_field(out, "compare", joined(a->compare_high, a->compare_low));
	nic_field(out, "local_va", be64toh(a->local_va));
	nic_field(out, "lkey", be32toh(a->lkey));
	nic_field(out, "reserved", be64toh(a->reserved));
}

static void decode(FILE *out, const struct nic_entry *entry)
{
	const struct wqe *w = wqe_of(entry);
	const struct transfer *t = &w->transfer;

	nic_field(out, "wqe_idx", le64toh(w->head.wqe_idx));
	nic_field(out, "op", w->head.op);
	nic_field(out, "num_sge_key", w->head.num_sge_key);
	nic_field(out, "flags", be16toh(w->head.flags));
	nic_field(out, "imm_data_key", be32toh(w->head.imm_data_key));
	nic_field(out, "remote_va", joined(t->va_high, t->va_low));
	nic_field(out, "remote_rkey", be32toh(t->rkey));
	if (w->head.op == OP_SWAP_IF || w->head.op == OP_ADD) {
		decode_atomic(out, &w->atomic);
		return;
	}
	nic_field(out, "length", be32toh(t->length));
	nic_field(out, "sgl[0].va", be64toh(t->sgl[0].va));
	nic_field(out, "sgl[0].len", be32toh(t->sgl[0].len));
	nic_field(out, "sgl[0].lkey", be32toh(t->sgl[0].lkey));
}

/* --- Doorbells: the queue's number << 24, an index in its ring --- */

static void sq_doorbell(struct ionic_queue *q, uint64_t value)
{
	const uint32_t mask = q->sq.n - 1;
	const uint32_t index = (uint32_t)value & 0xffffff;
	const uint32_t more = (index - (uint32_t)q->told) & mask;

	if (index > mask)
		nic_queue_refuse(q->qp,
				 "doorbell 0x%016llx: index 0x%x, "
				 "expected at most 0x%x",
				 (unsigned long long)value, index, mask);
	if (q->told + more > q->done + mask)
		nic_queue_refuse(q->qp,
				 "doorbell 0x%016llx: index %u after "
				 "%llu entries of which %llu have completed: "
				 "it goes back, or laps a ring of %u",
				 (unsigned long long)value, index,
				 (unsigned long long)q->told,
				 (unsigned long long)q->done, mask);
	q->told += more;
	if (q->rung < q->told)
		q->rung = q->told;
}

static void cq_doorbell(struct ionic_half *half, uint64_t value)
{
	const uint32_t mask = half->ring.n - 1;
	const uint32_t index = (uint32_t)value & 0xffffff;
	const uint32_t more = (index - (uint32_t)half->consumed) & mask;

	if (index > mask)
		nic_refuse("completion queue 0x%x: doorbell 0x%016llx: index "
			   "0x%x, expected at most 0x%x and no arming",
			   half->number, (unsigned long long)value, index,
			   mask);
	if (more > half->made - half->consumed)
		nic_refuse("completion queue 0x%x: doorbell 0x%016llx: index "
			   "%u, but of %llu completions %llu were consumed",
			   half->number, (unsigned long long)value, index,
			   (unsigned long long)half->made,
			   (unsigned long long)half->consumed);
	half->consumed += more;
}

static void sq_look(struct ionic_page *page, unsigned int line)
{
	struct ionic_queue *q = page->queues;
	uint64_t value;

	if (!nic_register_take(page->registers + line * 8 + IONIC_SQ_TYPE,
			       &value))
		return;
	while (q && q->qp->ibv.qp_num != value >> 24)
		q = q->next;
	if (!q)
		nic_refuse("the send queues' register has a doorbell for queue "
			   "pair 0x%llx: 0x%016llx",
			   (unsigned long long)(value >> 24),
			   (unsigned long long)value);
	q->line = line;
	q->rang = 1;
	sq_doorbell(q, value);
}

static void cq_look(struct ionic_page *page, unsigned int line)
{
	uint64_t value;

	if (!nic_register_take(page->registers + line * 8 + IONIC_CQ_TYPE,
			       &value))
		return;
	for (struct ionic_cq *c = page->cqs; c; c = c->next)
		for (unsigned int i = 0; i < IONIC_N_UDMA; i++) {
			if (!(c->mask & 1u << i) ||
			    c->half[i].number != value >> 24)
				continue;
			if (c->collapsed)
				nic_refuse("a doorbell for completion queue "
					   "0x%x, which is collapsed",
					   c->half[i].number);
			cq_doorbell(&c->half[i], value);
			return;
		}
	nic_refuse("the completion queues' register has a doorbell for 0x%llx: "
		   "0x%016llx",
		   (unsigned long long)(value >> 24),
		   (unsigned long long)value);
}

static void line_look(struct ionic_page *page, unsigned int line)
{
	sq_look(page, line);
	cq_look(page, line);
	for (unsigned int i = 0; i < IONIC_LINE_BYTES / 8; i++)
		if (i != IONIC_SQ_TYPE && i != IONIC_CQ_TYPE &&
		    page->registers[line * 8 + i] != NIC_REGISTER_QUIET)
			nic_refuse("register %u of the doorbell page was "
				   "written: expected %u or %u",
				   i, IONIC_SQ_TYPE, IONIC_CQ_TYPE);
}

/* Another queue may write the same word. */
static int line_is_shared(const struct ionic_queue *q)
{
	for (const struct ionic_queue *o = q->page->queues; o; o = o->next)
		if (o != q && o->qp->state == IBV_QPS_RTS &&
		    (!q->rang || (o->rang && o->line == q->line)))
			return 1;
	return 0;
}

static char *entry_at(const struct ionic_queue *q, uint64_t place)
{
	return q->sq.p + ((place & (q->sq.n - 1)) << q->sq.bytes_log2);
}

/*
 * A doorbell of another queue may have hidden this one's, where a real register
 * would have had both: what has been in the ring for a while counts as rung.
 */
static void look_behind(struct ionic_queue *q)
{
	const uint64_t now = nic_now_ns();
	uint64_t most = q->done + q->sq.n - 1;

	if (q->taken != q->rung || !line_is_shared(q) ||
	    !nic_entry_is_whole(entry_at(q, q->rung), IONIC_ENTRY_BYTES)) {
		q->unrung_ns = 0;
		return;
	}
	if (!q->unrung_ns)
		q->unrung_ns = now;
	if (now - q->unrung_ns < HIDDEN_NS)
		return;
	while (q->rung < most &&
	       nic_entry_is_whole(entry_at(q, q->rung), IONIC_ENTRY_BYTES))
		q->rung++;
}

void ionic_page_look(struct ionic_queue *q)
{
	struct ionic_page *page = q->page;

	line_look(page, q->line);
	for (int i = 0; i < LINES_A_LOOK; i++) {
		line_look(page, page->next_line);
		page->next_line = (page->next_line + 1) % IONIC_N_LINES;
	}
	look_behind(q);
}

/* --- Entries --- */

static void check_head(const struct nic_entry *entry,
		       const struct ionic_queue *q)
{
	const struct head *head = &wqe_of(entry)->head;
	const uint16_t flags = be16toh(head->flags);
	const uint16_t colour = q->taken & q->sq.n ? 0 : FLAG_COLOUR;
	const uint64_t index = le64toh(head->wqe_idx);

	if ((flags & FLAG_COLOUR) != colour)
		nic_entry_refuse(entry,
				 "colour %u, expected %u: not written "
				 "in this lap",
				 !!(flags & FLAG_COLOUR), !!colour);
	if ((index ^ q->taken) & (q->sq.n - 1) || index > q->taken)
		nic_entry_refuse(entry, "wqe_idx 0x%llx, expected 0x%x",
				 (unsigned long long)index, entry->slot);
	if (flags & ~(FLAG_INLINE | FLAG_SIGNALED | FLAG_COLOUR))
		nic_entry_refuse(entry,
				 "flags 0x%x, expected 0x8 (signaled), "
				 "0x4 (inline), 0x10 (colour) or 0",
				 flags);
	nic_entry_zero(entry, "imm_data_key", head->imm_data_key);
}

static void expect_sges(const struct nic_entry *entry, unsigned int n)
{
	if (wqe_of(entry)->head.num_sge_key != n)
		nic_entry_refuse(entry, "num_sge_key %u, expected %u",
				 wqe_of(entry)->head.num_sge_key, n);
}

static void take_list(const struct nic_entry *entry,
		      struct nic_request *request)
{
	const struct transfer *t = &wqe_of(entry)->transfer;
	const uint32_t length = be32toh(t->length);

	expect_sges(entry, length != 0);
	if (!length)
		return;
	if (be32toh(t->sgl[0].len) != length || length > 1u << 31)
		nic_entry_refuse(entry, "length %u, its source has %u", length,
				 be32toh(t->sgl[0].len));
	request->n_sge = 1;
	request->sge[0] = (struct nic_sge){
		.addr = be64toh(t->sgl[0].va),
		.bytes = length,
		.lkey = be32toh(t->sgl[0].lkey),
	};
}

static void take_inline(const struct nic_entry *entry,
			struct nic_request *request)
{
	const struct transfer *t = &wqe_of(entry)->transfer;
	const uint32_t length = be32toh(t->length);

	expect_sges(entry, 0);
	if (!length || length > IONIC_INLINE_BYTES)
		nic_entry_refuse(entry, "%u bytes inline, expected 1 to %u",
				 length, IONIC_INLINE_BYTES);
	request->inline_bytes = length;
	memcpy(request->inline_data, t->data, length);
}

static void take_atomic(const struct nic_entry *entry, enum nic_op op,
			struct nic_request *request)
{
	const struct atomic *a = &wqe_of(entry)->atomic;

	expect_sges(entry, 1);
	nic_entry_zero(entry, "the last 8 bytes", a->reserved);
	request->op = op;
	request->bytes = 8;
	request->data[0] = joined(a->swap_add_high, a->swap_add_low);
	request->data[1] = joined(a->compare_high, a->compare_low);
	request->n_sge = 1;
	request->sge[0] = (struct nic_sge){
		.addr = be64toh(a->local_va),
		.bytes = 8,
		.lkey = be32toh(a->lkey),
	};
}

static void take_by_op(const struct nic_entry *entry,
		       struct nic_request *request)
{
	const struct wqe *w = wqe_of(entry);
	const int inlined = be16toh(w->head.flags) & FLAG_INLINE;

	request->signaled = be16toh(w->head.flags) & FLAG_SIGNALED;
	request->remote = joined(w->transfer.va_high, w->transfer.va_low);
	request->rkey = be32toh(w->transfer.rkey);
	if (inlined && w->head.op != OP_WRITE)
		nic_entry_refuse(entry,
				 "op 0x%x is inline: expected only of "
				 "0x21 (write)",
				 w->head.op);
	switch (w->head.op) {
	case OP_WRITE:
		request->op = NIC_WRITE;
		if (inlined)
			take_inline(entry, request);
		else
			take_list(entry, request);
		return;
	case OP_READ:
		request->op = NIC_READ;
		take_list(entry, request);
		return;
	case OP_SWAP_IF:
		take_atomic(entry, NIC_SWAP_IF, request);
		return;
	case OP_ADD:
		take_atomic(entry, NIC_ADD, request);
		return;
	}
	nic_entry_refuse(entry,
			 "op 0x%x, expected 0x21 (write), 0x2 (read), "
			 "0x4 or 0x5 (atomics)",
			 w->head.op);
}

int ionic_take(struct nic_qp *qp, struct nic_request *request)
{
	struct ionic_queue *q = qp->own;
	struct nic_entry entry = { .qp = qp, .decode = decode };
	char *from;

	ionic_page_look(q);
	if (q->taken == q->rung)
		return 0;
	entry.place = q->taken;
	entry.slot = (uint32_t)(q->taken & (q->sq.n - 1));
	from = entry_at(q, q->taken);
	memset(request, 0, sizeof(*request));
	nic_entry_load(&entry, from, IONIC_ENTRY_BYTES);
	nic_entry_written(&entry, sizeof(struct head));
	check_head(&entry, q);
	nic_entry_written(&entry, 3 * NIC_CHUNK_BYTES);
	take_by_op(&entry, request);
	nic_entry_check(&entry, request);
	nic_entry_retire(from, IONIC_ENTRY_BYTES);
	request->place = q->taken++;
	nic_counts.entries++;
	return 1;
}
