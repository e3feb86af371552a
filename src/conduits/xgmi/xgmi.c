/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Device memory on the same node. Kernels load and store what import has
 * mapped; these rows are how the host reaches it, by the platform's copies and
 * by a kernel of one work-item where an atomic is wanted.
 */
#include "conduits/conduit.h"
#include "conduits/xgmi/xgmi_region.h"
#include "conduits/xgmi/xgmi_rma.h"

static int xgmi_probe(const struct conduit_peer *peer, enum conduit_segment seg)
{
	return peer->same_node && seg == CONDUIT_DEVICE ? 100 : 0;
}

extern const struct conduit conduit_xgmi;
const struct conduit conduit_xgmi = {
	.name = "xgmi",
	.caps = CONDUIT_CAP_ALLOC | CONDUIT_CAP_MAP | CONDUIT_CAP_RMA |
		CONDUIT_CAP_AMO,
	.ops = {
		.probe = xgmi_probe,
		.open = xgmi_open,
		.close = xgmi_close,
		.alloc = xgmi_region_alloc,
		.free = xgmi_region_free,
		.export = xgmi_region_export,
		.import = xgmi_region_import,
		.forget = xgmi_region_forget,
		.connect = xgmi_connect,
		.disconnect = xgmi_disconnect,
		.put = xgmi_put,
		.get = xgmi_get,
		.amo = xgmi_amo,
		.put_signal = xgmi_put_signal,
	},
};
