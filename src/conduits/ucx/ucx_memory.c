/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/ucx/ucx.h"
#include "conduits/ucx/ucx_stage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"
#include "gpu/gpu.h"

/* What a card begins with; the address and the remote keys follow it. */
struct card {
	uint32_t bytes; /* in all */
	uint32_t address_bytes;
	uint32_t staged;
	uint32_t zero;
	struct {
		uint64_t base;
		uint64_t rkey_bytes;
	} seg[CONDUIT_NSEGMENTS];
};

/* Memory that UCX has made, so that publish need not register it again. */
static struct {
	void *base;
	ucp_mem_h memory;
} made[CONDUIT_NSEGMENTS];

static int map(const struct conduit_region *region, unsigned int flags,
	       ucp_mem_h *memory)
{
	ucp_mem_map_params_t params = {
		.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS |
			      UCP_MEM_MAP_PARAM_FIELD_LENGTH |
			      UCP_MEM_MAP_PARAM_FIELD_FLAGS,
		.address = region->base,
		.length = region->bytes,
		.flags = flags,
	};
	ucs_status_t status = ucp_mem_map(ucx.context, &params, memory);

	if (status == UCS_OK)
		return 0;
	shmemi_log_error("UCX can't %s %zu bytes of memory: %s; does ulimit -l "
			 "allow for it?",
			 flags ? "make" : "register", region->bytes,
			 ucs_status_string(status));
	*memory = NULL;
	return -ENOMEM;
}

int ucx_alloc(struct conduit_region *region)
{
	int rc = ucx_context_open();
	int i = 0;

	if (rc)
		return rc;
	while (i < CONDUIT_NSEGMENTS && made[i].base)
		i++;
	if (i == CONDUIT_NSEGMENTS)
		return -ENOSPC;
	rc = map(region, UCP_MEM_MAP_ALLOCATE | UCP_MEM_MAP_FIXED,
		 &made[i].memory);
	if (rc)
		return rc;
	made[i].base = region->base;
	region->handle = i;
	return 0;
}

int ucx_free(struct conduit_region *region)
{
	int i = region->handle;
	void *p;

	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++)
		if (ucx.memory[seg] == made[i].memory)
			ucx.memory[seg] = NULL;
	ucp_mem_unmap(ucx.context, made[i].memory);
	made[i].base = NULL;
	p = mmap(region->base, region->bytes, PROT_NONE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
		 0);
	return p == MAP_FAILED ? -errno : 0;
}

/* Nobody imports it: peers reach it through the card. */
int ucx_export(const struct conduit_region *region, void *blob)
{
	(void)region;
	memset(blob, 0, CONDUIT_BLOB_BYTES);
	return 0;
}

static int is_made(ucp_mem_h memory)
{
	for (int i = 0; i < CONDUIT_NSEGMENTS; i++)
		if (made[i].base && made[i].memory == memory)
			return 1;
	return 0;
}

static int memory_get(int seg)
{
	const struct conduit_region *region = &ucx.mine[seg];

	for (int i = 0; i < CONDUIT_NSEGMENTS; i++) {
		if (made[i].base != region->base)
			continue;
		ucx.memory[seg] = made[i].memory;
		return 0;
	}
	return map(region, 0, &ucx.memory[seg]);
}

/* The card's part of a segment; what it takes, or a negative errno. */
static int segment_write(int seg, struct card *card, char *to, size_t room)
{
	const struct conduit_region *region = &ucx.mine[seg];
	ucs_status_t status;
	size_t bytes;
	void *rkey;
	int rc;

	card->seg[seg].base = (uint64_t)(uintptr_t)region->base;
	if (seg == CONDUIT_DEVICE && ucx.staging) {
		card->staged |= 1u << seg;
		return 0;
	}
	rc = memory_get(seg);
	if (rc)
		return rc;
	status = ucp_rkey_pack(ucx.context, ucx.memory[seg], &rkey, &bytes);
	if (status != UCS_OK)
		return ucx_failed(NULL, "pack a remote key", status);
	rc = bytes > room ? -ENOSPC : (int)bytes;
	if (rc >= 0)
		memcpy(to, rkey, bytes);
	ucp_rkey_buffer_release(rkey);
	card->seg[seg].rkey_bytes = bytes;
	return rc;
}

static int address_write(char *to, size_t room)
{
	ucp_address_t *address;
	size_t bytes;
	ucs_status_t status =
		ucp_worker_get_address(ucx.receiver->ucp, &address, &bytes);
	int rc;

	if (status != UCS_OK)
		return ucx_failed(NULL, "tell its address", status);
	rc = bytes > room ? -ENOSPC : (int)bytes;
	if (rc >= 0)
		memcpy(to, address, bytes);
	ucp_worker_release_address(ucx.receiver->ucp, address);
	return rc;
}

static int card_write(char *to, size_t room)
{
	struct card card = { 0 };
	size_t at = sizeof(card);
	int rc = room < at ? -ENOSPC : address_write(to + at, room - at);

	if (rc < 0)
		return rc;
	card.address_bytes = (uint32_t)rc;
	at += (size_t)rc;
	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++) {
		if (!ucx.mine[seg].base || !ucx.mine[seg].bytes)
			continue;
		rc = segment_write(seg, &card, to + at, room - at);
		if (rc < 0)
			return rc;
		at += (size_t)rc;
	}
	card.bytes = (uint32_t)at;
	memcpy(to, &card, sizeof(card));
	return (int)at;
}

int ucx_publish(const struct conduit_region *mine, void *card, size_t *bytes)
{
	int rc = ucx_context_open();

	if (rc)
		return rc;
	rc = ucx_worker_open(&ucx.receiver);
	if (rc)
		return rc;
	memcpy(ucx.mine, mine, sizeof(ucx.mine));
	if (ucx.staging && mine[CONDUIT_DEVICE].base)
		ucx_stage_warm(mine[CONDUIT_DEVICE].base);
	rc = card_write(card, *bytes);
	if (rc == -ENOSPC)
		shmemi_log_error("UCX needs more than the %zu bytes there are "
				 "for its addresses; fewer devices in "
				 "UCX_NET_DEVICES or UCX_TLS take fewer",
				 *bytes);
	if (rc < 0)
		return rc;
	*bytes = (size_t)rc;
	return ucx_progress_start();
}

/* What alloc has made goes too, if its owner ends without giving it back. */
void ucx_unpublish(void)
{
	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++) {
		if (ucx.memory[seg] && !is_made(ucx.memory[seg]))
			ucp_mem_unmap(ucx.context, ucx.memory[seg]);
		ucx.memory[seg] = NULL;
	}
	for (int i = 0; i < CONDUIT_NSEGMENTS; i++) {
		if (made[i].base)
			ucp_mem_unmap(ucx.context, made[i].memory);
		made[i].base = NULL;
	}
}

uint32_t ucx_card_bytes(const void *card)
{
	struct card head;

	/* It lies among others, at any address. */
	memcpy(&head, card, sizeof(head));
	return head.bytes;
}

void ucx_card_read(struct conduit_ep *ep)
{
	const struct card *card = ep->card;
	const char *at = (const char *)(card + 1);

	ep->address = (const ucp_address_t *)at;
	ep->staged = card->staged;
	at += card->address_bytes;
	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++) {
		ep->seg[seg].base = card->seg[seg].base;
		if (card->seg[seg].rkey_bytes)
			ep->seg[seg].rkey = at;
		at += card->seg[seg].rkey_bytes;
	}
}
