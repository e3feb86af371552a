/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/world.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/line.h"
#include "base/log.h"
#include "base/wait.h"
#include "boot/boot.h"
#include "host/coll.h"
#include "host/data.h"
#include "host/shmemi.h"

/* Peers of another build must not guess at our structures. */
#define WORLD_LAYOUT 1

/* Blocks of teams, which grow with their PEs: some 1,000 of all PEs. */
#define SYNC_BYTES ((size_t)32 << 20)
#define SYNC_BYTES_PER_PE ((size_t)512 << 10)

/* Segments start where a huge page may, slots where the largest page may. */
#define SEGMENT_ALIGN ((size_t)2 << 20)
#define SLOT_ALIGN_MAX ((size_t)1 << 30)

/* What a PE tells of itself in the one exchange. */
struct world_card {
	uint64_t layout;
	uint64_t node_id;
	uint64_t image_id;
	uint64_t bytes[CONDUIT_NSEGMENTS];
	char blob[CONDUIT_NSEGMENTS][CONDUIT_BLOB_BYTES];
	char host[SHMEMI_HOST_BYTES];
	int32_t barrier_algorithm;
	cpu_set_t cores; /* where this PE may run */
};

static struct {
	char *range; /* n_pes slots of slot_bytes, one a PE */
	size_t range_bytes;
	size_t slot_bytes;
	struct conduit_region mine[CONDUIT_NSEGMENTS];
	struct conduit *home; /* the conduit that made the segments */
} world;

static size_t round_up(size_t bytes, size_t to)
{
	return (bytes + to - 1) / to * to;
}

static size_t slot_offset(int seg)
{
	size_t offset = 0;

	for (int i = 0; i < seg; i++)
		offset += round_up(world.mine[i].bytes, SEGMENT_ALIGN);
	return offset;
}

static char *slot(int pe, int seg)
{
	return world.range + (size_t)pe * world.slot_bytes + slot_offset(seg);
}

size_t shmemi_world_align(void)
{
	size_t align = SEGMENT_ALIGN;

	while (align < world.mine[CONDUIT_HEAP].bytes && align < SLOT_ALIGN_MAX)
		align *= 2;
	return align;
}

static int reserve(void)
{
	size_t n = (size_t)shmemi.n_pes, align = shmemi_world_align();
	char *p = MAP_FAILED;

	world.slot_bytes = round_up(slot_offset(CONDUIT_NSEGMENTS), align);
	if (!__builtin_mul_overflow(n, world.slot_bytes, &world.range_bytes) &&
	    !__builtin_add_overflow(world.range_bytes, align,
				    &world.range_bytes))
		p = mmap(NULL, world.range_bytes, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED) {
		shmemi_log_error("no room for %d x %zu bytes of addresses, for "
				 "PEs of SHMEM_SYMMETRIC_SIZE %zu: %s",
				 shmemi.n_pes, world.slot_bytes,
				 shmemi.env.symmetric_size_bytes,
				 strerror(ENOMEM));
		return -ENOMEM;
	}
	world.range = (char *)round_up((uintptr_t)p, align);
	munmap(p, (size_t)(world.range - p));
	world.range_bytes -= (size_t)(world.range - p);
	return 0;
}

static int heap_size(size_t *bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (shmemi.env.huge_pages == SHMEMI_YES)
		page = SEGMENT_ALIGN;
	*bytes = shmemi.env.symmetric_size_bytes;
	if (*bytes > SIZE_MAX / 4) {
		shmemi_log_error("SHMEM_SYMMETRIC_SIZE of %zu bytes is more "
				 "than an address space holds",
				 *bytes);
		return -ENOMEM;
	}
	*bytes = round_up(*bytes ? *bytes : 1, page);
	return 0;
}

static int segments_alloc(void)
{
	struct conduit_region *mine = world.mine;
	static const int huge[] = {
		[SHMEMI_AUTO] = -1, [SHMEMI_YES] = 1, [SHMEMI_NO] = 0
	};
	int rc = heap_size(&mine[CONDUIT_HEAP].bytes);

	if (rc)
		return rc;
	mine[CONDUIT_SYNC].bytes =
		SYNC_BYTES + (size_t)shmemi.n_pes * SYNC_BYTES_PER_PE;
	mine[CONDUIT_HEAP].huge = huge[shmemi.env.huge_pages];
	rc = reserve();
	if (rc)
		return rc;
	mine[CONDUIT_HEAP].base = slot(shmemi.me, CONDUIT_HEAP);
	mine[CONDUIT_SYNC].base = slot(shmemi.me, CONDUIT_SYNC);
	rc = world.home->ops.alloc(&mine[CONDUIT_HEAP]);
	if (rc)
		goto release;
	rc = world.home->ops.alloc(&mine[CONDUIT_SYNC]);
	if (rc)
		goto free_heap;
	return 0;

free_heap:
	world.home->ops.free(&mine[CONDUIT_HEAP]);
release:
	munmap(world.range, world.range_bytes);
	return rc;
}

static void segments_free(void)
{
	world.home->ops.free(&world.mine[CONDUIT_SYNC]);
	world.home->ops.free(&world.mine[CONDUIT_HEAP]);
	munmap(world.range, world.range_bytes);
}

static void write_card(struct world_card *card, const struct boot_info *info)
{
	memset(card, 0, sizeof(*card));
	card->layout = WORLD_LAYOUT;
	card->node_id = boot_node_id();
	card->image_id = shmemi_data_image_id();
	card->barrier_algorithm = shmemi.env.barrier_algorithm;
	sched_getaffinity(0, sizeof(card->cores), &card->cores);
	snprintf(card->host, sizeof(card->host), "%.*s", SHMEMI_HOST_BYTES - 1,
		 info->host);
	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++) {
		card->bytes[seg] = world.mine[seg].bytes;
		if (world.mine[seg].bytes)
			world.home->ops.export(&world.mine[seg],
					       card->blob[seg]);
	}
}

static int card_agrees(const struct world_card *mine,
		       const struct world_card *card, int pe)
{
	const char *what = NULL;

	if (card->layout != mine->layout)
		what = "another version of the library";
	else if (card->bytes[CONDUIT_HEAP] != mine->bytes[CONDUIT_HEAP])
		what = "another SHMEM_SYMMETRIC_SIZE";
	else if (card->bytes[CONDUIT_DATA] != mine->bytes[CONDUIT_DATA] ||
		 (card->bytes[CONDUIT_DATA] &&
		  card->image_id != mine->image_id))
		what = "another executable (SHMEM_STATIC=no allows that)";
	if (!what)
		return 0;
	shmemi_log_error("PE %d on %s has %s", pe, card->host, what);
	return -EINVAL;
}

static int pretend_same_node(int pe)
{
	int size = shmemi.env.node_size;

	return !size || pe / size == shmemi.me / size;
}

/* My heap lies in my slot already; my static data does not. */
static int is_imported(int pe, int seg)
{
	return world.mine[seg].bytes &&
	       (pe != shmemi.me || seg == CONDUIT_DATA);
}

static struct conduit_peer peer_of(int pe)
{
	return (struct conduit_peer){ pe, shmemi.peers[pe].same_node,
				      shmemi.peers[pe].host };
}

static struct conduit_region region_of(int pe, int seg)
{
	return (struct conduit_region){ .base = slot(pe, seg),
					.bytes = world.mine[seg].bytes };
}

static int map_segments(const struct world_card *card, int pe)
{
	const struct conduit_ops *ops = &shmemi.peers[pe].conduit->ops;
	const struct conduit_peer peer = peer_of(pe);
	struct conduit_region regions[CONDUIT_NSEGMENTS];
	struct shmemi_route *route = &shmemi.routes[pe];
	int rc;

	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++) {
		regions[seg] = region_of(pe, seg);
		if (is_imported(pe, seg)) {
			rc = ops->import(&peer, &regions[seg], card->blob[seg]);
			if (rc)
				return rc;
		}
		if (regions[seg].bytes)
			route->base[seg] = regions[seg].base;
	}
	return ops->connect(&peer, regions, &route->ep);
}

static int route(const struct world_card *mine, const struct world_card *card,
		 int pe)
{
	struct shmemi_peer *peer = &shmemi.peers[pe];
	struct conduit_peer who;

	memcpy(peer->host, card->host, sizeof(peer->host));
	peer->same_node =
		card->node_id == mine->node_id && pretend_same_node(pe);
	who = peer_of(pe);
	peer->conduit = conduit_choose(&who);
	if (peer->conduit)
		return map_segments(card, pe);
	shmemi_log_error("no conduit reaches PE %d on %s: it is on another "
			 "node than PE %d",
			 pe, peer->host, shmemi.me);
	return -EHOSTUNREACH;
}

static int route_all(const struct world_card *cards)
{
	const struct world_card *mine = &cards[shmemi.me];
	int rc = 0;

	shmemi.n_far = 0;
	for (int pe = 0; !rc && pe < shmemi.n_pes; pe++) {
		rc = card_agrees(mine, &cards[pe], pe);
		if (!rc)
			rc = route(mine, &cards[pe], pe);
		shmemi.n_far += !shmemi.routes[pe].base[CONDUIT_HEAP];
	}
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
	shmemi_wait_tune(shmemi.env.spin, shared);
	coll_sync_choose(cards[0].barrier_algorithm, shared);
}

static int routes_alloc(void)
{
	size_t n = (size_t)shmemi.n_pes;

	/* Whole cache lines, so that a route never lies in two. */
	shmemi.routes = aligned_alloc(
		CACHE_LINE_BYTES,
		round_up(n * sizeof(*shmemi.routes), CACHE_LINE_BYTES));
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
	shmemi.routes = NULL;
	shmemi.peers = NULL;
}

static void unroute_one(int pe)
{
	struct shmemi_route *route = &shmemi.routes[pe];

	if (route->ep)
		shmemi.peers[pe].conduit->ops.disconnect(route->ep);
	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++) {
		struct conduit_region region = region_of(pe, seg);

		if (route->base[seg] && is_imported(pe, seg))
			shmemi.peers[pe].conduit->ops.forget(&region);
	}
}

static void unroute(void)
{
	for (int pe = 0; shmemi.routes && pe < shmemi.n_pes; pe++)
		unroute_one(pe);
	routes_free();
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
	write_card(&mine, info);
	rc = boot_allgather(boot, &mine, sizeof(mine), cards);
	if (!rc)
		rc = route_all(cards);
	if (!rc) {
		boot_localize(boot, &cards[0].node_id, sizeof(*cards));
		tune(cards, info->n_local);
	}
	free(cards);
	return rc;
}

static int open_segments(void)
{
	int rc = shmemi_data_share(shmemi.env.static_data,
				   &world.mine[CONDUIT_DATA]);

	return rc ? rc : segments_alloc();
}

int shmemi_world_open(struct boot *boot)
{
	const struct boot_info *info = boot_info(boot);
	const struct conduit_peer self = { info->pe, 1, info->host };
	int rc;

	shmemi.me = info->pe;
	shmemi.n_pes = info->n_pes;
	world.home = conduit_choose(&self);
	rc = conduit_open_all();
	if (rc)
		return rc;
	rc = open_segments();
	if (rc)
		goto close_conduits;
	rc = routes_alloc();
	if (!rc)
		rc = exchange(boot, info);
	if (rc)
		goto free_segments;
	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++)
		shmemi.segment[seg] =
			(struct shmemi_segment){ world.mine[seg].base,
						 world.mine[seg].bytes };
	return 0;

free_segments:
	unroute();
	segments_free();
close_conduits:
	conduit_close_all();
	return rc;
}

void shmemi_world_close(void)
{
	unroute();
	segments_free();
	conduit_close_all();
	memset(shmemi.segment, 0, sizeof(shmemi.segment));
}
