/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions of the smp conduit: a memfd, found by peers as /proc/PID/fd/FD, so
 * that nothing with a name is left behind whoever dies. See conduit.h for the
 * contracts.
 */
#ifndef SMP_REGION_H
#define SMP_REGION_H

#include "conduits/conduit.h"

int smp_region_alloc(struct conduit_region *region);
int smp_region_adopt(struct conduit_region *region);
int smp_region_free(struct conduit_region *region);
int smp_region_export(const struct conduit_region *region, void *blob);
int smp_region_import(const struct conduit_peer *peer,
		      struct conduit_region *region, const void *blob);
int smp_region_forget(struct conduit_region *region);

#endif
