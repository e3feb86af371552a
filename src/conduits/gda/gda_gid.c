/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "host/shmemi.h"

/* How packets are made; the better ones last. */
enum kind { V1, UNKNOWN, V2, N_KINDS };

/* Who could reach it; the better ones last. */
enum scope { LINK, GLOBAL, IPV4, N_SCOPES };

static const char *const kind_words[N_KINDS] = {
	[V1] = "RoCE v1",
	[UNKNOWN] = "RoCE of unknown version",
	[V2] = "RoCE v2"
};
static const char *const scope_words[N_SCOPES] = {
	[LINK] = "link-local address",
	[GLOBAL] = "global IPv6 address",
	[IPV4] = "IPv4 address",
};

struct choice {
	union ibv_gid gid;
	int index;
	int rank; /* kind * N_SCOPES + scope; -1: none */
	int n;	  /* addresses that were looked at */
};

typedef int (*query_gid_ex)(struct ibv_context *context, uint32_t port,
			    uint32_t index, struct ibv_gid_entry *entry,
			    uint32_t flags, size_t bytes);

static int kind_by_library(const struct gda_nic *nic, int index,
			   enum kind *kind)
{
	struct ibv_gid_entry entry = { .gid_type = IBV_GID_TYPE_IB };
	query_gid_ex query;

	*(void **)&query = gda_lib_verbs_symbol("_ibv_query_gid_ex");
	if (!query || query(nic->context, nic->port, (uint32_t)index, &entry, 0,
			    sizeof(entry)))
		return -ENOENT;
	*kind = entry.gid_type == IBV_GID_TYPE_ROCE_V2 ? V2 : V1;
	return 0;
}

static enum kind kind_of(const struct gda_nic *nic, int index)
{
	enum kind kind = UNKNOWN;
	char line[32];

	if (!kind_by_library(nic, index, &kind))
		return kind;
	if (gda_sysfs_read(nic->context->device, line, sizeof(line),
			   "ports/%d/gid_attrs/types/%d", nic->port, index))
		return UNKNOWN;
	return !strcmp(line, "RoCE v2") ? V2 : V1;
}

static enum scope scope_of(const union ibv_gid *gid)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	const uint8_t *raw = gid->raw;

	if (!memcmp(raw, mapped, sizeof(mapped)))
		return raw[12] == 169 && raw[13] == 254 ? LINK : IPV4;
	return raw[0] == 0xfe && (raw[1] & 0xc0) == 0x80 ? LINK : GLOBAL;
}

static int rank_of(const struct gda_nic *nic, int index,
		   const union ibv_gid *gid)
{
	return (int)kind_of(nic, index) * N_SCOPES + (int)scope_of(gid);
}

static int gid_get(const struct gda_nic *nic, int index, union ibv_gid *gid)
{
	static const union ibv_gid none;

	if (index >= nic->port_attr.gid_tbl_len ||
	    gda_ibv.query_gid(nic->context, nic->port, index, gid))
		return -ENOENT;
	return memcmp(gid, &none, sizeof(none)) ? 0 : -ENOENT;
}

static void look_at(const struct gda_nic *nic, int index, struct choice *best)
{
	union ibv_gid gid;
	int rank;

	if (gid_get(nic, index, &gid))
		return;
	rank = rank_of(nic, index, &gid);
	best->n++;
	if (rank > best->rank) {
		best->gid = gid;
		best->index = index;
		best->rank = rank;
	}
}

#define REASON(nic, ...) \
	snprintf((nic)->gid_reason, sizeof((nic)->gid_reason), __VA_ARGS__)

static int take(struct gda_nic *nic, int index, const union ibv_gid *gid)
{
	nic->gid = *gid;
	nic->gid_index = index;
	return 0;
}

static int choose_roce(struct gda_nic *nic)
{
	struct choice best = { .rank = -1 };

	for (int i = 0; i < nic->port_attr.gid_tbl_len; i++)
		look_at(nic, i, &best);
	if (best.rank < 0) {
		REASON(nic, "no address among the %d places of the port",
		       nic->port_attr.gid_tbl_len);
		return -ENOENT;
	}
	REASON(nic, "%s, %s, the best of %d", kind_words[best.rank / N_SCOPES],
	       scope_words[best.rank % N_SCOPES], best.n);
	return take(nic, best.index, &best.gid);
}

static int take_named(struct gda_nic *nic, int index, const char *reason)
{
	union ibv_gid gid;

	if (gid_get(nic, index, &gid)) {
		REASON(nic, "%s: no address at index %d of %d", reason, index,
		       nic->port_attr.gid_tbl_len);
		return -ENOENT;
	}
	REASON(nic, "%s", reason);
	return take(nic, index, &gid);
}

int gda_gid_choose(struct gda_nic *nic)
{
	if (shmemi.env.gda_gid >= 0)
		return take_named(nic, shmemi.env.gda_gid, "SHMEM_GDA_GID");
	if (nic->port_attr.link_layer != IBV_LINK_LAYER_ETHERNET)
		return take_named(nic, 0, "InfiniBand, the first");
	return choose_roce(nic);
}
