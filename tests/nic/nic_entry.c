/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nic_entry.h"
#include "nic_impl.h"

#define RETIRED 0xd1
#define N_REGISTERS (NIC_PAGE_BYTES / sizeof(uint64_t))

static uint64_t *free_pages; /* each one's first word is the next */

static uint64_t *page_map(void)
{
	void *page = mmap(NULL, NIC_PAGE_BYTES, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		nic_refuse("no memory for registers");
	return page;
}

uint64_t *nic_registers_new(void)
{
	uint64_t *page = free_pages;

	if (page)
		free_pages = (uint64_t *)(uintptr_t)page[0];
	else
		page = page_map();
	for (size_t i = 0; i < N_REGISTERS; i++)
		page[i] = NIC_REGISTER_QUIET;
	return page;
}

void nic_registers_free(uint64_t *page)
{
	page[0] = (uintptr_t)free_pages;
	free_pages = page;
}

int nic_register_take(uint64_t *word, uint64_t *value)
{
	*value = __atomic_load_n(word, __ATOMIC_RELAXED);
	if (*value == NIC_REGISTER_QUIET)
		return 0;
	*value =
		__atomic_exchange_n(word, NIC_REGISTER_QUIET, __ATOMIC_ACQ_REL);
	nic_counts.doorbells++;
	return 1;
}

void nic_field(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, "    %-14s 0x%llx\n", name, (unsigned long long)value);
}

static void print_bytes(FILE *out, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%02x%s", i % NIC_CHUNK_BYTES ? " " : "    ",
			bytes[i],
			i % NIC_CHUNK_BYTES == NIC_CHUNK_BYTES - 1 ||
					i == n - 1 ?
				"\n" :
				"");
}

static void print_head(FILE *out, const struct nic_qp *qp)
{
	fprintf(out, "nic: [%d] %s queue pair 0x%x", (int)getpid(),
		qp->context->device->ibv.name, qp->ibv.qp_num);
}

void nic_entry_refuse(const struct nic_entry *entry, const char *format, ...)
{
	va_list args;

	print_head(stderr, entry->qp);
	fprintf(stderr,
		" entry %llu (slot %u): ", (unsigned long long)entry->place,
		entry->slot);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	entry->decode(stderr, entry);
	print_bytes(stderr, entry->data, entry->bytes);
	abort();
}

void nic_queue_refuse(const struct nic_qp *qp, const char *format, ...)
{
	va_list args;

	print_head(stderr, qp);
	fputs(": ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	abort();
}

void nic_entry_load(struct nic_entry *entry, const void *from, size_t bytes)
{
	if (entry->bytes + bytes > sizeof(entry->data))
		nic_entry_refuse(entry, "it is longer than any NIC's");
	nic_load(entry->data + entry->bytes, from, bytes);
	entry->bytes += bytes;
}

void nic_entry_written(const struct nic_entry *entry, size_t bytes)
{
	uint8_t retired[NIC_CHUNK_BYTES];

	memset(retired, RETIRED, sizeof(retired));
	for (size_t i = 0; i < bytes; i += NIC_CHUNK_BYTES)
		if (!memcmp(entry->data + i, retired, sizeof(retired)))
			nic_entry_refuse(entry,
					 "the doorbell says that it is there, "
					 "but its bytes from %zu on were not "
					 "written",
					 i);
}

void nic_entry_retire(void *in_ring, size_t bytes)
{
	uint8_t retired[64];

	memset(retired, RETIRED, sizeof(retired));
	nic_store(in_ring, retired, bytes);
}

int nic_entry_is_whole(const void *in_ring, size_t bytes)
{
	uint64_t retired;

	memset(&retired, RETIRED, sizeof(retired));
	for (size_t i = 0; i < bytes; i += sizeof(retired))
		if (nic_load64((const char *)in_ring + i) == retired)
			return 0;
	return 1;
}

void nic_entry_zero(const struct nic_entry *entry, const char *field,
		    uint64_t value)
{
	if (value)
		nic_entry_refuse(entry, "%s is 0x%llx, expected 0: reserved",
				 field, (unsigned long long)value);
}

static void check_local(const struct nic_entry *entry,
			const struct nic_sge *sge, int writes)
{
	const struct nic_mr *mr = nic_mr_local(sge->lkey);

	if (!sge->bytes)
		return;
	if (!mr)
		nic_entry_refuse(entry, "there is no local key 0x%x",
				 sge->lkey);
	if (mr->pd != entry->qp->pd->real)
		nic_entry_refuse(entry, "local key 0x%x is of another PD",
				 sge->lkey);
	if (sge->addr < mr->addr || sge->bytes > mr->bytes ||
	    sge->addr - mr->addr > mr->bytes - sge->bytes)
		nic_entry_refuse(entry,
				 "0x%llx, %u bytes, is not in the region of "
				 "local key 0x%x: 0x%llx, %zu bytes",
				 (unsigned long long)sge->addr, sge->bytes,
				 sge->lkey, (unsigned long long)mr->addr,
				 mr->bytes);
	if (writes && !(mr->access & IBV_ACCESS_LOCAL_WRITE))
		nic_entry_refuse(entry, "local key 0x%x is not for writing",
				 sge->lkey);
}

static int is_atomic(enum nic_op op)
{
	return op == NIC_ADD || op == NIC_SWAP_IF || op == NIC_MASKED_SWAP ||
	       op == NIC_MASKED_ADD;
}

void nic_entry_check(const struct nic_entry *entry,
		     const struct nic_request *request)
{
	const int atomic = is_atomic(request->op);

	for (unsigned int i = 0; i < request->n_sge; i++)
		check_local(entry, &request->sge[i],
			    atomic || request->op == NIC_READ);
	if (!atomic)
		return;
	if (request->remote % request->bytes)
		nic_entry_refuse(entry,
				 "an atomic of %u bytes at 0x%llx, "
				 "expected aligned",
				 request->bytes,
				 (unsigned long long)request->remote);
	if (request->n_sge != 1 || request->sge[0].bytes != request->bytes)
		nic_entry_refuse(entry,
				 "the result of an atomic of %u bytes "
				 "has %u",
				 request->bytes,
				 request->n_sge ? request->sge[0].bytes : 0);
}
