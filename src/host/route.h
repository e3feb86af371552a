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
 * choose: the conduits of a peer, of whom host and node are known; sets
 * shmemi.net if one of them is the network's. open: maps the peer by the blobs
 * that it made of its segments, connects, the network's conduit by its card,
 * which is NULL where there is none. 0 or a negative errno, logged.
 */
int shmemi_route_choose(int pe);
int shmemi_route_open(int pe, char blob[][CONDUIT_BLOB_BYTES],
		      const void *card);

/*
 * After all peers are mapped: lets kernels use the user's host memory of all,
 * where it is mapped. 0 or a negative errno, logged.
 */
int shmemi_routes_register(void);

#endif
