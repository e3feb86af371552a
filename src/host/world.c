/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/world.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/wait.h"
#include "boot/boot.h"
#include "gpu/gpu.h"
#include "host/cards.h"
#include "host/coll.h"
#include "host/data.h"
#include "host/route.h"
#include "host/segment.h"

/* Peers of another build must not guess at our structures. */
#define WORLD_LAYOUT 5

enum {
	BARRIER,
	ALLTOALL,
	BROADCAST,
	COLLECT,
	REDUCE,
	DEVICE_ALLTOALL,
	N_ALGORITHMS
};

/* What a PE tells of itself in the first exchange. */
struct world_card {
	uint64_t layout;
	uint64_t node_id;
	uint64_t image_id;
	uint64_t bytes[CONDUIT_NSEGMENTS];
	char blob[CONDUIT_NSEGMENTS][CONDUIT_BLOB_BYTES];
	char host[SHMEMI_HOST_BYTES];
	char platform[8];
	char bus[24];			 /* of the device */
	uint64_t device_packets_bytes;	 /* PE 0's too */
	int32_t algorithm[N_ALGORITHMS]; /* PE 0's are everybody's */
	cpu_set_t cores;		 /* where this PE may run */
};

static int write_card(struct world_card *card, const struct boot_info *info)
{
	int rc = 0;

	memset(card, 0, sizeof(*card));
	card->layout = WORLD_LAYOUT;
	card->node_id = boot_node_id();
	card->image_id = shmemi_data_image_id();
	card->algorithm[BARRIER] = shmemi.env.barrier_algorithm;
	card->algorithm[ALLTOALL] = shmemi.env.alltoall_algorithm;
	card->algorithm[BROADCAST] = shmemi.env.broadcast_algorithm;
	card->algorithm[COLLECT] = shmemi.env.collect_algorithm;
	card->algorithm[REDUCE] = shmemi.env.reduce_algorithm;
	card->algorithm[DEVICE_ALLTOALL] = shmemi.env.device_alltoall_algorithm;
	card->device_packets_bytes =
		shmemi.env.device_alltoall_packets_max_bytes;
	sched_getaffinity(0, sizeof(card->cores), &card->cores);
	snprintf(card->host, sizeof(card->host), "%.*s", SHMEMI_HOST_BYTES - 1,
		 info->host);
	snprintf(card->platform, sizeof(card->platform), "%s", shmemg->name);
	snprintf(card->bus, sizeof(card->bus), "%s", shmemg_device.bus);
	for (int seg = 0; !rc && seg < CONDUIT_NSEGMENTS; seg++) {
		card->bytes[seg] = shmemi_mine[seg].bytes;
		if (shmemi_mine[seg].bytes)
			rc = shmemi_segment_export(seg, card->blob[seg]);
	}
	return rc;
}

static int platform_agrees(const struct world_card *mine,
			   const struct world_card *card, int pe)
{
	if (card->layout != mine->layout ||
	    !strcmp(card->platform, mine->platform))
		return 1;
	shmemi_log_error("PE %d on %s runs kernels on %s, and PE %d on %s; "
			 "expected one SHMEM_PLATFORM",
			 pe, card->host, card->platform, shmemi.me,
			 mine->platform);
	return 0;
}

static int card_agrees(const struct world_card *mine,
		       const struct world_card *card, int pe)
{
	const char *what = NULL;

	if (!platform_agrees(mine, card, pe))
		return -EINVAL;
	if (card->layout != mine->layout)
		what = "version of the library";
	else if (card->bytes[CONDUIT_HEAP] != mine->bytes[CONDUIT_HEAP])
		what = shmemi_heap_variable(CONDUIT_HEAP);
	else if (card->bytes[CONDUIT_DEVICE] != mine->bytes[CONDUIT_DEVICE])
		what = shmemi_heap_variable(CONDUIT_DEVICE);
	else if (card->bytes[CONDUIT_DATA] != mine->bytes[CONDUIT_DATA] ||
		 (card->bytes[CONDUIT_DATA] &&
		  card->image_id != mine->image_id))
		what = "executable (SHMEM_STATIC=no allows that)";
	if (!what)
		return 0;
	shmemi_log_error("PE %d on %s has another %s", pe, card->host, what);
	return -EINVAL;
}

/* Where a PE is: by its card, and as SHMEM_NODE_SIZE pretends. */
struct node_key {
	uint64_t id;
	int part, pe;
};

static int key_order(const void *a, const void *b)
{
	const struct node_key *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return x->pe < y->pe ? -1 : x->pe > y->pe;
}

/* A node is named by its lowest PE. */
static int find_nodes(const struct world_card *cards)
{
	size_t n = (size_t)shmemi.n_pes;
	int size = shmemi.env.node_size, first = 0;
	struct node_key *keys = malloc(n * sizeof(*keys));

	if (!keys) {
		shmemi_log_error("out of memory for %zu PEs", n);
		return -ENOMEM;
	}
	for (int pe = 0; pe < shmemi.n_pes; pe++)
		keys[pe] = (struct node_key){ cards[pe].node_id,
					      size ? pe / size : 0, pe };
	qsort(keys, n, sizeof(*keys), key_order);
	for (size_t i = 0; i < n; i++) {
		if (!i || keys[i].id != keys[i - 1].id ||
		    keys[i].part != keys[i - 1].part)
			first = keys[i].pe;
		shmemi.peers[keys[i].pe].node = first;
	}
	free(keys);
	return 0;
}

static int meet(const struct world_card *cards, int pe)
{
	memcpy(shmemi.peers[pe].host, cards[pe].host,
	       sizeof(shmemi.peers[pe].host));
	return card_agrees(&cards[shmemi.me], &cards[pe], pe);
}

static int is_on_one_node(void)
{
	for (int pe = 0; pe < shmemi.n_pes; pe++)
		if (shmemi.peers[pe].node)
			return 0;
	return 1;
}

/* A heap of the network's can't be mapped by neighbours. */
static int net_heap_fits(void)
{
	for (int pe = 0; shmemi.env.net_heap && pe < shmemi.n_pes; pe++) {
		if (shmemi.peers[pe].node == pe)
			continue;
		shmemi_log_error("SHMEM_NET_HEAP=yes expects one PE a node, "
				 "but PE %d is on the node of PE %d",
				 pe, shmemi.peers[pe].node);
		return -EINVAL;
	}
	return 0;
}

static int meet_all(const struct world_card *cards)
{
	int rc = 0;

	for (int pe = 0; !rc && pe < shmemi.n_pes; pe++)
		rc = meet(cards, pe);
	if (!rc)
		rc = find_nodes(cards);
	if (!rc)
		rc = net_heap_fits();
	for (int pe = 0; !rc && pe < shmemi.n_pes; pe++)
		rc = shmemi_route_choose(pe);
	return rc;
}

/* Kernels must be able to change words of memory that they use. */
static void check_atomics(const struct world_card *cards, int pe)
{
	const char *bus = cards[pe].bus;
	static int told;

	if (!told && shmemg->peer_atomics(bus) == 0) {
		told = 1;
		shmemi_log_warn("the GPUs of PE %d (%s) and PE %d (%s) have no "
				"native atomics on each other's memory: "
				"kernels' atomics there lose updates",
				shmemi.me, cards[shmemi.me].bus, pe, bus);
	}
}

/* A device that is not mine, and whose memory kernels use. */
static void meet_device(const struct world_card *cards, int pe)
{
	if (!shmemi.peers[pe].device ||
	    !strcmp(cards[pe].bus, cards[shmemi.me].bus))
		return;
	shmemi.same_device = 0;
	check_atomics(cards, pe);
}

static int route_all(struct boot *boot, struct world_card *cards)
{
	struct shmemi_cards net = { 0 };
	int rc = 0;

	shmemi.gda = 0;
	if (!is_on_one_node())
		rc = shmemi_cards_exchange(boot, &net);
	shmemi.same_device = 1;
	for (int pe = 0; !rc && pe < shmemi.n_pes; pe++) {
		rc = shmemi_route_open(pe, cards[pe].blob,
				       shmemi_card(&net, pe));
		meet_device(cards, pe);
	}
	shmemi_cards_free(&net);
	return rc;
}

/* How to wait goes by the cores that this node's PEs have between them. */
static void tune(const struct world_card *cards, int n_local)
{
	const struct world_card *mine = &cards[shmemi.me];
	cpu_set_t cores;
	int shared;

	CPU_ZERO(&cores);
	for (int pe = 0; pe < shmemi.n_pes; pe++)
		if (cards[pe].node_id == mine->node_id)
			CPU_OR(&cores, &cores, &cards[pe].cores);
	shared = n_local > CPU_COUNT(&cores);
	/* A poll of the network is a system call: no shorter than a yield. */
	shmemi_wait_tune(shmemi.env.spin, shared || shmemi.net);
	coll_sync_choose(cards[0].algorithm[BARRIER], shared);
	shmemi.env.alltoall_algorithm = cards[0].algorithm[ALLTOALL];
	shmemi.env.broadcast_algorithm = cards[0].algorithm[BROADCAST];
	shmemi.env.collect_algorithm = cards[0].algorithm[COLLECT];
	shmemi.env.reduce_algorithm = cards[0].algorithm[REDUCE];
	shmemi.env.device_alltoall_algorithm =
		cards[0].algorithm[DEVICE_ALLTOALL];
	shmemi.env.device_alltoall_packets_max_bytes =
		cards[0].device_packets_bytes;
}

static int exchange(struct boot *boot, const struct boot_info *info)
{
	struct world_card *cards, mine;
	int rc;

	cards = calloc((size_t)shmemi.n_pes, sizeof(*cards));
	if (!cards) {
		shmemi_log_error("out of memory for %d PEs", shmemi.n_pes);
		return -ENOMEM;
	}
	rc = write_card(&mine, info);
	if (!rc)
		rc = boot_allgather(boot, &mine, sizeof(mine), cards);
	if (!rc)
		rc = meet_all(cards);
	if (!rc)
		rc = route_all(boot, cards);
	if (!rc)
		rc = shmemi_routes_register();
	if (!rc) {
		boot_localize(boot, &cards[0].node_id, sizeof(*cards));
		tune(cards, info->n_local);
	}
	free(cards);
	return rc;
}

/* The segments as users know them: the device's without its tail. */
static void publish(void)
{
	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++)
		shmemi.segment[seg] =
			(struct shmemi_segment){ shmemi_mine[seg].base,
						 shmemi_mine[seg].bytes };
	shmemi.segment[CONDUIT_DEVICE].bytes = shmemi_device_heap_bytes();
}

int shmemi_world_open(struct boot *boot)
{
	const struct boot_info *info = boot_info(boot);
	int rc;

	shmemi.me = info->pe;
	shmemi.n_pes = info->n_pes;
	conduit_settings = (struct conduit_settings){
		.me = info->pe,
		.host = info->host,
		.n_pes = info->n_pes,
		.timeout_s = shmemi.env.timeout_s,
		.progress_thread = shmemi.env.progress == SHMEMI_BY_THREAD,
		.device_atomics = shmemi.env.net_atomics == SHMEMI_BY_DEVICE,
		.net_heap = shmemi.env.net_heap,
	};
	rc = conduit_open_all();
	if (rc)
		return rc;
	rc = shmemi_segments_open();
	if (rc)
		goto close_conduits;
	rc = shmemi_routes_open();
	if (!rc)
		rc = exchange(boot, info);
	if (rc)
		goto free_segments;
	publish();
	return 0;

free_segments:
	shmemi_routes_close();
	shmemi_segments_close();
close_conduits:
	conduit_close_all();
	return rc;
}

void shmemi_world_close(void)
{
	shmemi_routes_close();
	shmemi_segments_close();
	conduit_close_all();
	memset(shmemi.segment, 0, sizeof(shmemi.segment));
}
