/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/xgmi/xgmi_region.h"

#include "base/log.h"
#include "gpu/gpu.h"

_Static_assert(SHMEMG_BLOB_BYTES <= CONDUIT_BLOB_BYTES, "blob");

int xgmi_region_alloc(struct conduit_region *region)
{
	void *p;
	int rc = shmemg->mem_alloc(region->bytes, &p);

	if (!rc)
		region->base = p;
	return rc;
}

int xgmi_region_free(struct conduit_region *region)
{
	return shmemg->mem_free(region->base);
}

int xgmi_region_export(const struct conduit_region *region, void *blob)
{
	return shmemg->mem_export(region->base, region->bytes, blob);
}

/* The platform has said what failed, but does not know whose memory it is. */
int xgmi_region_import(const struct conduit_peer *peer,
		       struct conduit_region *region, const void *blob)
{
	void *p;
	int rc = shmemg->mem_import(blob, region->bytes, &p);

	if (rc) {
		shmemi_log_error("that was the device memory of PE %d on %s",
				 peer->pe, peer->host);
		return rc;
	}
	region->base = p;
	return 0;
}

int xgmi_region_forget(struct conduit_region *region)
{
	return shmemg->mem_forget(region->base, region->bytes);
}
