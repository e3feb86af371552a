/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Routes to peers: for each segment the conduit that reaches it best, what it
 * maps, and its endpoint. Fills shmemi.routes and shmemi.peers.
 */
#ifndef SHMEMI_ROUTE_H
#define SHMEMI_ROUTE_H

#include "host/shmemi.h"

/* 0 or a negative errno, logged; close undoes what there is. */
int shmemi_routes_open(void);
void shmemi_routes_close(void);

/*
 * Maps a peer, of whom host and same_node are known, by the blobs that it made
 * of its segments. 0 or a negative errno, logged.
 */
int shmemi_route(int pe, char blob[][CONDUIT_BLOB_BYTES]);

/*
 * After all peers are mapped: lets kernels use the user's host memory of all,
 * where it is mapped. 0 or a negative errno, logged.
 */
int shmemi_routes_register(void);

#endif
