/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Host memory on the same node, by loads and stores. The library's calls use
 * the mapping that import gives directly; the RMA rows are the same copies
 * behind the interface, for those who hold an endpoint only.
 */
#include "conduits/conduit.h"
#include "conduits/smp/smp_region.h"
#include "conduits/smp/smp_rma.h"

static int smp_probe(const struct conduit_peer *peer, enum conduit_segment seg)
{
	return peer->same_node && seg != CONDUIT_DEVICE ? 100 : 0;
}

static int smp_open(struct conduit *conduit)
{
	(void)conduit;
	return 0;
}

static int smp_close(struct conduit *conduit)
{
	(void)conduit;
	return 0;
}

extern const struct conduit conduit_smp;
const struct conduit conduit_smp = {
	.name = "smp",
	.caps = CONDUIT_CAP_ALLOC | CONDUIT_CAP_MAP | CONDUIT_CAP_RMA |
		CONDUIT_CAP_AMO | CONDUIT_CAP_ADOPT,
	.ops = {
		.probe = smp_probe,
		.open = smp_open,
		.close = smp_close,
		.alloc = smp_region_alloc,
		.adopt = smp_region_adopt,
		.free = smp_region_free,
		.export = smp_region_export,
		.import = smp_region_import,
		.forget = smp_region_forget,
		.connect = smp_connect,
		.disconnect = smp_disconnect,
		.put = smp_put,
		.get = smp_get,
		.amo = smp_amo,
		.put_signal = smp_put_signal,
	},
};
