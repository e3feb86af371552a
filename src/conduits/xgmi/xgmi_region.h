/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions of the xgmi conduit: the platform's device memory, mapped wherever
 * the platform puts it. See conduit.h for the contracts.
 */
#ifndef XGMI_REGION_H
#define XGMI_REGION_H

#include "conduits/conduit.h"

int xgmi_region_alloc(struct conduit_region *region);
int xgmi_region_free(struct conduit_region *region);
int xgmi_region_export(const struct conduit_region *region, void *blob);
int xgmi_region_import(const struct conduit_peer *peer,
		       struct conduit_region *region, const void *blob);
int xgmi_region_forget(struct conduit_region *region);

#endif
