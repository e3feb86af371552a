/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Static data: the writable part of the executable's image (.data and .bss,
 * behind what RELRO seals) becomes a segment by moving it, in place, onto
 * shared memory. Data of shared libraries stays private to the PE.
 */
#ifndef SHMEMI_DATA_H
#define SHMEMI_DATA_H

#include "conduits/conduit.h"
#include "host/env.h"

/*
 * Shares the static data as `choice` says: AUTO does if the executable itself
 * was linked with this library, and not if an interpreter loaded it. Called
 * before threads of the library exist; a second call finds the work done.
 * region->bytes is 0 when nothing is shared. 0 or a negative errno.
 */
int shmemi_data_share(int choice, struct conduit_region *region);

/*
 * A number that is equal on PEs that run the same executable: where its
 * symbols lie does not depend on where it was loaded.
 */
uint64_t shmemi_data_image_id(void);

#endif
