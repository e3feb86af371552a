/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_provider.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "gpu/gpu.h"
#include "host/env.h"
#include "host/shmemi.h"

const struct gda_provider *const gda_providers[] = {
	&gda_mlx5, &gda_bnxt, &gda_ionic, &gda_verbs, NULL,
};

static const char *const statuses[] = {
	[IBV_WC_SUCCESS] = "success",
	[IBV_WC_LOC_LEN_ERR] = "local length error",
	[IBV_WC_LOC_QP_OP_ERR] = "local queue pair operation error",
	[IBV_WC_LOC_PROT_ERR] = "local protection error",
	[IBV_WC_WR_FLUSH_ERR] = "flushed after an earlier error",
	[IBV_WC_MW_BIND_ERR] = "memory management error",
	[IBV_WC_BAD_RESP_ERR] = "bad response",
	[IBV_WC_LOC_ACCESS_ERR] = "local access error",
	[IBV_WC_REM_INV_REQ_ERR] = "remote invalid request",
	[IBV_WC_REM_ACCESS_ERR] = "remote access error",
	[IBV_WC_REM_OP_ERR] = "remote operation error",
	[IBV_WC_RETRY_EXC_ERR] = "retries exceeded, the peer does not answer",
	[IBV_WC_RNR_RETRY_EXC_ERR] = "the peer was not ready for too long",
	[IBV_WC_REM_ABORT_ERR] = "aborted by the peer",
	[IBV_WC_FATAL_ERR] = "fatal error",
	[IBV_WC_RESP_TIMEOUT_ERR] = "response timed out",
	[IBV_WC_GENERAL_ERR] = "general error",
};
#define N_STATUSES (sizeof(statuses) / sizeof(statuses[0]))

static uint32_t code_status(const struct gda_code *codes, uint32_t code)
{
	for (; codes->code; codes++)
		if (codes->code == code)
			return codes->status;
	return code ? IBV_WC_GENERAL_ERR : IBV_WC_SUCCESS;
}

const char *gda_code_words(const struct gda_provider *provider, uint32_t code)
{
	if (provider->codes)
		code = code_status(provider->codes, code);
	return code < N_STATUSES && statuses[code] ? statuses[code] :
						     "unknown error";
}

int gda_device_is(const struct ibv_device *device, unsigned int vendor,
		  const char *name)
{
	char line[16];

	if (strncmp(device->name, name, strlen(name)) == 0)
		return 1;
	return !gda_sysfs_read(device, line, sizeof(line), "device/vendor") &&
	       strtoul(line, NULL, 16) == vendor;
}

static int symbol_load(void *library, const struct gda_symbol *symbol)
{
	/* C has no conversion from objects to functions; POSIX does. */
	void *found = gda_lib_symbol(library, symbol->name);

	memcpy(symbol->function, &found, sizeof(found));
	return found || !symbol->needed ? 0 : -ENOSYS;
}

/* Where nobody asked for it, the NIC may be of another kind altogether. */
static void say_missing(const char *name, const char *symbol)
{
	if (shmemi.env.gda > SHMEMI_GDA_NO)
		shmemi_log_error("%s, or what stands for it, has no %s: "
				 "kernels can't drive its NICs",
				 name, symbol);
	else
		shmemi_trace(INIT, "%s has no %s", name, symbol);
}

int gda_provider_load(const struct gda_provider *provider)
{
	const struct gda_symbol *symbol = provider->symbols;
	void *library;

	if (!provider->libraries)
		return 0;
	library = gda_lib_vendor(provider->libraries);
	if (!library)
		return -ENOENT;
	for (; symbol->name; symbol++) {
		if (!symbol_load(library, symbol))
			continue;
		say_missing(provider->libraries[0], symbol->name);
		return -ENOSYS;
	}
	return 0;
}

/* NULL: there is not that much left. */
static void *piece_take(struct gda_pieces *pieces, size_t bytes, size_t align)
{
	const uintptr_t at =
		((uintptr_t)pieces->next + align - 1) & ~((uintptr_t)align - 1);

	if (at > (uintptr_t)pieces->end || (uintptr_t)pieces->end - at < bytes)
		return NULL;
	pieces->next = (char *)at + bytes;
	return (char *)at;
}

size_t gda_pages(size_t bytes)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page * page;
}

int gda_queue_is_device(void)
{
	return shmemi.env.gda_memory == SHMEMI_GDA_IN_DEVICE &&
	       !shmemg_device.host_access;
}

char *gda_queue_address(const struct gda_queue *q, size_t bytes, void *p)
{
	const uintptr_t offset = (uintptr_t)p - (uintptr_t)q->memory;

	return offset < bytes ? (char *)q->device_memory + offset : p;
}

static void *domain_alloc(struct ibv_pd *pd, void *own, size_t bytes,
			  size_t align, uint64_t type)
{
	struct gda_domain *domain = own;
	struct gda_pieces *from = &domain->rings;

	(void)pd;
	if ((uint32_t)type != domain->ring && domain->records.next)
		from = &domain->records;
	return piece_take(from, bytes, align);
}

/* The queue's memory goes back as a whole. */
static void domain_free(struct ibv_pd *pd, void *own, void *p, uint64_t type)
{
	(void)pd, (void)own, (void)p, (void)type;
}

static int set_pieces(struct gda_domain *domain, const struct gda_queue *q,
		      size_t bytes)
{
	domain->rings.next = q->memory;
	domain->rings.end = domain->rings.next + bytes;
	domain->records = (struct gda_pieces){ 0 };
	if (!gda_queue_is_device())
		return 0;
	domain->records.next = gda_pool_host(bytes, gda_pages(1));
	if (!domain->records.next)
		return -ENOMEM;
	domain->records.end = domain->records.next + bytes;
	return 0;
}

int gda_domain_open(struct gda_domain *domain, const struct gda_queue *q,
		    size_t bytes, uint32_t ring)
{
	struct ibv_parent_domain_init_attr attr = {
		.pd = q->nic->pd,
		.td = domain->td,
		.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS |
			     IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT,
		.alloc = domain_alloc,
		.free = domain_free,
		.pd_context = domain,
	};
	int rc = set_pieces(domain, q, bytes);

	domain->ring = ring;
	domain->pd = NULL;
	if (rc)
		return rc;
	domain->pd = ibv_alloc_parent_domain(q->nic->context, &attr);
	if (domain->pd)
		return 0;
	rc = errno ? -errno : -EIO;
	shmemi_log_error("%s: no parent domain for a queue: %s", q->nic->name,
			 strerror(-rc));
	return rc;
}

void gda_domain_close(struct gda_domain *domain)
{
	if (domain->pd)
		gda_ibv.dealloc_pd(domain->pd);
	if (domain->td)
		ibv_dealloc_td(domain->td);
	domain->pd = NULL;
	domain->td = NULL;
}
