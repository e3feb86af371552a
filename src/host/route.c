/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/route.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/log.h"
#include "gpu/gpu.h"
#include "host/segment.h"

static int data_registered; /* my static data, where my program has it */

/* My heaps are mapped already; my static data is not in its slot. */
static int is_imported(int pe, int seg)
{
	return shmemi_mine[seg].bytes &&
	       (pe != shmemi.me || seg == CONDUIT_DATA);
}

static struct conduit_peer peer_of(int pe)
{
	const struct shmemi_peer *peer = &shmemi.peers[pe];

	return (struct conduit_peer){
		.pe = pe,
		.same_node = peer->node == shmemi.peers[shmemi.me].node,
		.host = peer->host,
	};
}

static int maps(const struct conduit *conduit)
{
	return conduit && conduit->caps & CONDUIT_CAP_MAP;
}

/* As mapped, or to be mapped, here; for the network its size alone. */
static struct conduit_region region_of(int pe, int seg)
{
	struct conduit_region region = { .bytes = shmemi_mine[seg].bytes };

	if (!maps(shmemi.peers[pe].conduit[seg]))
		return region;
	region.base = seg == CONDUIT_DEVICE ? shmemi.peers[pe].device :
					      shmemi_slot(pe, seg);
	return region;
}

static int map_segment(int pe, int seg, const void *blob)
{
	struct shmemi_peer *peer = &shmemi.peers[pe];
	const struct conduit_peer who = peer_of(pe);
	struct conduit_region region = region_of(pe, seg);

	if (is_imported(pe, seg)) {
		int rc = peer->conduit[seg]->ops.import(&who, &region, blob);

		if (rc)
			return rc;
	} else {
		region.base = shmemi_mine[seg].base;
	}
	if (seg == CONDUIT_DEVICE)
		peer->device = region.base;
	if (seg != CONDUIT_DEVICE || shmemg_device.host_access)
		shmemi.routes[pe].base[seg] = region.base;
	return 0;
}

/* One endpoint for all segments that a conduit was chosen for. */
static int connect(int pe, int first, const void *card)
{
	struct shmemi_peer *peer = &shmemi.peers[pe];
	const struct conduit *conduit = peer->conduit[first];
	struct conduit_region regions[CONDUIT_NSEGMENTS] = { 0 };
	const struct conduit_peer who = peer_of(pe);
	struct conduit_ep *ep;
	int rc;

	if (!conduit || peer->ep[first] || (pe == shmemi.me && !maps(conduit)))
		return 0;
	for (int seg = first; seg < CONDUIT_NSEGMENTS; seg++)
		if (peer->conduit[seg] == conduit)
			regions[seg] = region_of(pe, seg);
	rc = conduit->ops.connect(&who, regions, maps(conduit) ? NULL : card,
				  &ep);
	for (int seg = first; !rc && seg < CONDUIT_NSEGMENTS; seg++)
		if (peer->conduit[seg] == conduit)
			peer->ep[seg] = ep;
	return rc;
}

static int choose_segment(int pe, int seg)
{
	struct shmemi_peer *peer = &shmemi.peers[pe];
	const struct conduit_peer who = peer_of(pe);
	struct conduit *conduit;

	if (!shmemi_mine[seg].bytes)
		return 0;
	conduit = conduit_choose(&who, seg);
	peer->conduit[seg] = conduit;
	if (conduit && conduit->caps & CONDUIT_CAP_NET)
		shmemi.net = conduit;
	if (conduit)
		return 0;
	shmemi_log_error("no conduit reaches PE %d on %s: it is on another "
			 "node than PE %d, and this library was built without "
			 "UCX",
			 pe, peer->host, shmemi.me);
	return -EHOSTUNREACH;
}

int shmemi_route_choose(int pe)
{
	int rc = 0;

	for (int seg = 0; !rc && seg < CONDUIT_NSEGMENTS; seg++)
		rc = choose_segment(pe, seg);
	return rc;
}

int shmemi_route_open(int pe, char blob[][CONDUIT_BLOB_BYTES], const void *card)
{
	int rc = 0;

	for (int seg = 0; !rc && seg < CONDUIT_NSEGMENTS; seg++)
		if (pe == shmemi.me || maps(shmemi.peers[pe].conduit[seg]))
			rc = map_segment(pe, seg, blob[seg]);
	for (int seg = 0; !rc && seg < CONDUIT_NSEGMENTS; seg++)
		rc = connect(pe, seg, card);
	return rc;
}

/* Kernels work on what is the user's, not on the library's own blocks. */
static int is_for_kernels(int pe, int seg)
{
	return (seg == CONDUIT_HEAP || seg == CONDUIT_DATA) &&
	       shmemi.routes[pe].base[seg];
}

static int register_segments(int pe)
{
	struct shmemi_peer *peer = &shmemi.peers[pe];
	int rc = 0;

	for (int seg = 0; !rc && seg < CONDUIT_NSEGMENTS; seg++) {
		if (!is_for_kernels(pe, seg))
			continue;
		rc = shmemg->host_register(shmemi.routes[pe].base[seg],
					   shmemi_mine[seg].bytes);
		peer->registered |= (unsigned int)!rc << seg;
	}
	return rc;
}

/* This PE's static data once more: where its program has it. */
int shmemi_routes_register(void)
{
	const struct conduit_region *data = &shmemi_mine[CONDUIT_DATA];
	int rc = 0;

	for (int pe = 0; !rc && pe < shmemi.n_pes; pe++)
		rc = register_segments(pe);
	if (!rc && data->bytes) {
		rc = shmemg->host_register(data->base, data->bytes);
		data_registered = !rc;
	}
	return rc;
}

int shmemi_routes_open(void)
{
	size_t n = (size_t)shmemi.n_pes;

	shmemi.net = NULL;
	/* Whole cache lines, so that a route never lies in two. */
	shmemi.routes = aligned_alloc(
		CACHE_LINE_BYTES,
		shmemi_round_up(n * sizeof(*shmemi.routes), CACHE_LINE_BYTES));
	shmemi.peers = calloc(n, sizeof(*shmemi.peers));
	if (!shmemi.routes || !shmemi.peers) {
		shmemi_log_error("out of memory for %d PEs", shmemi.n_pes);
		return -ENOMEM;
	}
	memset(shmemi.routes, 0, n * sizeof(*shmemi.routes));
	return 0;
}

static void routes_free(void)
{
	free(shmemi.routes);
	free(shmemi.peers);
	shmemi.net = NULL;
	shmemi.routes = NULL;
	shmemi.peers = NULL;
}

static void unroute_segment(int pe, int seg)
{
	struct shmemi_peer *peer = &shmemi.peers[pe];
	struct conduit_region region = region_of(pe, seg);
	char *base = shmemi.routes[pe].base[seg];

	if (peer->registered & 1u << seg)
		shmemg->host_unregister(base);
	if (seg == CONDUIT_DEVICE)
		base = peer->device;
	if (base && maps(peer->conduit[seg]) && is_imported(pe, seg))
		peer->conduit[seg]->ops.forget(&region);
}

static void disconnect(struct shmemi_peer *peer, int first)
{
	struct conduit_ep *ep = peer->ep[first];

	if (!ep)
		return;
	for (int seg = first; seg < CONDUIT_NSEGMENTS; seg++)
		if (peer->ep[seg] == ep)
			peer->ep[seg] = NULL;
	peer->conduit[first]->ops.disconnect(ep);
}

/* First of all PEs: then nothing arrives where memory goes away. */
static void disconnect_all(void)
{
	for (int pe = 0; pe < shmemi.n_pes; pe++)
		for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++)
			disconnect(&shmemi.peers[pe], seg);
}

static void unroute_all(void)
{
	for (int pe = 0; pe < shmemi.n_pes; pe++)
		for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++)
			unroute_segment(pe, seg);
}

void shmemi_routes_close(void)
{
	if (data_registered)
		shmemg->host_unregister(shmemi_mine[CONDUIT_DATA].base);
	data_registered = 0;
	if (shmemi.routes && shmemi.peers) {
		disconnect_all();
		unroute_all();
	}
	routes_free();
}
