/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/segment.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "gpu/gpu.h"
#include "host/data.h"
#include "host/device.h"
#include "host/world.h"

/* Blocks of teams, which grow with their PEs: some 1,000 of all PEs. */
#define SYNC_BYTES ((size_t)32 << 20)
#define SYNC_BYTES_PER_PE ((size_t)512 << 10)

/* Segments start where a huge page may, slots where the largest page may. */
#define SEGMENT_ALIGN ((size_t)2 << 20)
#define SLOT_ALIGN_MAX ((size_t)1 << 30)

/* The host heap beside a default heap in device memory. */
#define HOST_HEAP_BYTES ((size_t)64 << 20)

struct conduit_region shmemi_mine[CONDUIT_NSEGMENTS];

static struct {
	char *range; /* n_pes slots of slot_bytes, one a PE */
	size_t range_bytes;
	size_t slot_bytes;
	size_t device_heap_bytes; /* the library's blocks lie behind */
	struct conduit *home[CONDUIT_NSEGMENTS]; /* what made the segments */
} own;

size_t shmemi_round_up(size_t bytes, size_t to)
{
	return (bytes + to - 1) / to * to;
}

static size_t slot_offset(int seg)
{
	size_t offset = 0;

	for (int i = 0; i < seg; i++)
		offset += shmemi_round_up(shmemi_mine[i].bytes, SEGMENT_ALIGN);
	return offset;
}

char *shmemi_slot(int pe, int seg)
{
	return own.range + (size_t)pe * own.slot_bytes + slot_offset(seg);
}

size_t shmemi_world_align(enum conduit_segment heap)
{
	size_t align = SEGMENT_ALIGN;

	if (heap == CONDUIT_DEVICE)
		return align;
	while (align < shmemi_mine[CONDUIT_HEAP].bytes &&
	       align < SLOT_ALIGN_MAX)
		align *= 2;
	return align;
}

const char *shmemi_heap_variable(enum conduit_segment heap)
{
	size_t said = heap == CONDUIT_DEVICE ?
			      shmemi.env.device_heap_size_bytes :
			      shmemi.env.host_heap_size_bytes;

	if (said == SHMEMI_ENV_SIZE_AUTO && shmemi.heap == heap)
		return "SHMEM_SYMMETRIC_SIZE";
	return heap == CONDUIT_DEVICE ? "SHMEM_DEVICE_HEAP_SIZE" :
					"SHMEM_HOST_HEAP_SIZE";
}

static size_t heap_wanted(enum conduit_segment heap)
{
	size_t said = heap == CONDUIT_DEVICE ?
			      shmemi.env.device_heap_size_bytes :
			      shmemi.env.host_heap_size_bytes;

	if (said != SHMEMI_ENV_SIZE_AUTO)
		return said;
	if (shmemi.heap == heap)
		return shmemi.env.symmetric_size_bytes;
	return heap == CONDUIT_DEVICE ? 0 : HOST_HEAP_BYTES;
}

static int reserve(void)
{
	size_t n = (size_t)shmemi.n_pes,
	       align = shmemi_world_align(CONDUIT_HEAP);
	char *p = MAP_FAILED;

	own.slot_bytes = shmemi_round_up(slot_offset(CONDUIT_DEVICE), align);
	if (!__builtin_mul_overflow(n, own.slot_bytes, &own.range_bytes) &&
	    !__builtin_add_overflow(own.range_bytes, align, &own.range_bytes))
		p = mmap(NULL, own.range_bytes, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED) {
		shmemi_log_error("no room for %d x %zu bytes of addresses, for "
				 "PEs of %s %zu: %s",
				 shmemi.n_pes, own.slot_bytes,
				 shmemi_heap_variable(CONDUIT_HEAP),
				 shmemi_mine[CONDUIT_HEAP].bytes,
				 strerror(ENOMEM));
		return -ENOMEM;
	}
	own.range = (char *)shmemi_round_up((uintptr_t)p, align);
	munmap(p, (size_t)(own.range - p));
	own.range_bytes -= (size_t)(own.range - p);
	return 0;
}

static int heap_size(enum conduit_segment heap, size_t *bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (shmemi.env.huge_pages == SHMEMI_YES)
		page = SEGMENT_ALIGN;
	*bytes = heap_wanted(heap);
	if (*bytes > SIZE_MAX / 4) {
		shmemi_log_error("%s of %zu bytes is more than an address "
				 "space holds",
				 shmemi_heap_variable(heap), *bytes);
		return -ENOMEM;
	}
	if (!*bytes && heap == CONDUIT_HEAP)
		*bytes = 1;
	*bytes = shmemi_round_up(*bytes, page);
	return 0;
}

/* The platform says what else goes wrong; a GPU's size is known before. */
static int device_alloc(void)
{
	struct conduit_region *region = &shmemi_mine[CONDUIT_DEVICE];
	int rc = heap_size(CONDUIT_DEVICE, &own.device_heap_bytes);

	if (rc)
		return rc;
	region->bytes = shmemi_round_up(
		own.device_heap_bytes + shmemi_device_tail_bytes(shmemi.n_pes),
		SEGMENT_ALIGN);
	if (shmemg != &shmemg_cpu &&
	    region->bytes > shmemg_device.memory_bytes) {
		shmemi_log_error("%s %zu: device %d, %s, has only %zu bytes",
				 shmemi_heap_variable(CONDUIT_DEVICE),
				 own.device_heap_bytes, shmemg_device.device,
				 shmemg_device.name,
				 shmemg_device.memory_bytes);
		return -ENOMEM;
	}
	return own.home[CONDUIT_DEVICE]->ops.alloc(region);
}

static int host_alloc(enum conduit_segment seg)
{
	shmemi_mine[seg].base = shmemi_slot(shmemi.me, seg);
	return own.home[seg]->ops.alloc(&shmemi_mine[seg]);
}

static void segment_free(enum conduit_segment seg)
{
	own.home[seg]->ops.free(&shmemi_mine[seg]);
}

static int segments_alloc(void)
{
	struct conduit_region *mine = shmemi_mine;
	static const int huge[] = {
		[SHMEMI_AUTO] = -1, [SHMEMI_YES] = 1, [SHMEMI_NO] = 0
	};
	int rc = heap_size(CONDUIT_HEAP, &mine[CONDUIT_HEAP].bytes);

	if (rc)
		return rc;
	mine[CONDUIT_SYNC].bytes =
		SYNC_BYTES + (size_t)shmemi.n_pes * SYNC_BYTES_PER_PE;
	mine[CONDUIT_HEAP].huge = huge[shmemi.env.huge_pages];
	rc = reserve();
	if (rc)
		return rc;
	rc = host_alloc(CONDUIT_HEAP);
	if (rc)
		goto release;
	rc = host_alloc(CONDUIT_SYNC);
	if (rc)
		goto free_heap;
	rc = device_alloc();
	if (rc)
		goto free_sync;
	return 0;

free_sync:
	segment_free(CONDUIT_SYNC);
free_heap:
	segment_free(CONDUIT_HEAP);
release:
	munmap(own.range, own.range_bytes);
	return rc;
}

void shmemi_segments_close(void)
{
	segment_free(CONDUIT_DEVICE);
	segment_free(CONDUIT_SYNC);
	segment_free(CONDUIT_HEAP);
	munmap(own.range, own.range_bytes);
}

int shmemi_segments_open(void)
{
	const struct conduit_peer self = { shmemi.me, 1, "this node" };
	int rc = shmemi_data_share(shmemi.env.static_data,
				   &shmemi_mine[CONDUIT_DATA]);

	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++)
		own.home[seg] = conduit_choose(&self, seg);
	shmemi.heap =
		shmemi_device_is_default() ? CONDUIT_DEVICE : CONDUIT_HEAP;
	return rc ? rc : segments_alloc();
}

int shmemi_segment_export(int seg, void *blob)
{
	return own.home[seg]->ops.export(&shmemi_mine[seg], blob);
}

size_t shmemi_device_heap_bytes(void)
{
	return own.device_heap_bytes;
}
