/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory is shown to NICs in the way that they take, in chunks, with keys that
 * peers and kernels get; what was registered is given back, whatever failed.
 */
#include "nics_fake.h"

#include <errno.h>
#include <stdint.h>

#define HEAP_BYTES ((size_t)200 << 10)
#define DEVICE_BYTES ((size_t)128 << 10)
#define DATA_BYTES ((size_t)8 << 10)
#define CHUNK ((size_t)64 << 10)
#define ALL \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | \
	 IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)

static struct shmemi_peer peers[1];

static void segment_make(enum conduit_segment seg, size_t bytes)
{
	struct conduit_region *mine = &shmemi_mine[seg];

	mine->base = aligned_alloc(4096, bytes);
	mine->bytes = bytes;
	shmemi.segment[seg].base = mine->base;
	shmemi.segment[seg].bytes = bytes / 2; /* what is the user's */
}

static void segments_open(void)
{
	segment_make(CONDUIT_DEVICE, DEVICE_BYTES);
	segment_make(CONDUIT_HEAP, HEAP_BYTES);
	segment_make(CONDUIT_DATA, DATA_BYTES);
	shmemi.peers = peers;
}

static void segments_close(void)
{
	free(shmemi_mine[CONDUIT_DEVICE].base);
	free(shmemi_mine[CONDUIT_HEAP].base);
	free(shmemi_mine[CONDUIT_DATA].base);
}

static void devices(void)
{
	fake_clear();
	fake_device("mlx5_0", "0000:0a:00.0");
	fake_device("mlx5_1", "0000:04:00.0");
	fake_dmabuf_rc = 0;
}

static void nics_open(void)
{
	CHECK(!gda_nics_open());
	CHECK(!gda_pool_open());
}

static void open_all(void)
{
	nics_open();
	CHECK(!gda_memory_open());
}

static void close_all(void)
{
	gda_memory_close();
	gda_pool_close();
	gda_nics_close();
	check_balance();
}

/* Kernels' spans, and the keys that peers get, for one NIC. */
static struct shmemd_gda kernels;
static struct gda_bases bases;
static struct shmemd_gda_key keys[64];

static void describe(unsigned int nic)
{
	memset(keys, 0, sizeof(keys));
	memset(&kernels, 0, sizeof(kernels));
	gda_memory_describe(nic, &bases, keys);
	gda_memory_tell(&kernels);
}

static void test_whole(void)
{
	devices();
	open_all();
	CHECK(counts()->mrs == 3 && gda_memory_chunks() == 3);
	describe(0);
	CHECK(kernels.n_spans == 3 && kernels.chunk_log2 == GDA_WHOLE_LOG2);
	CHECK(bases.chunk_log2 == GDA_WHOLE_LOG2 && bases.atomics == 1);
	CHECK(gda_memory_atomics());
	for (int s = 0; s < 3; s++) {
		const struct shmemd_gda_span *span = &kernels.spans[s];

		CHECK(bases.base[s] == (uintptr_t)span->base);
		CHECK(span->n_chunks == 1 && gda_memory_span_chunks(s) == 1);
		CHECK(keys[s].rma == keys[s].amo);
		CHECK(keys[s].rma == span->keys[0].rma + FAKE_RKEY);
		CHECK(span->keys[0].amo == span->keys[0].rma);
	}
	CHECK(kernels.spans[0].base == shmemi_mine[CONDUIT_DEVICE].base);
	CHECK(kernels.spans[0].bytes == DEVICE_BYTES);
	CHECK(kernels.spans[1].base == shmemi_mine[CONDUIT_HEAP].base);
	CHECK(kernels.spans[2].bytes == DATA_BYTES);
	CHECK(counts()->last_access == ALL);
	close_all();
}

/* Two NICs: the keys of the second are behind all of the first's. */
static void test_chunks(void)
{
	const size_t n_heap = (HEAP_BYTES + CHUNK - 1) / CHUNK;

	devices();
	set("SHMEM_GDA_REGION", "50k");
	set("SHMEM_GDA_NICS_PER_PE", "2");
	open_all();
	CHECK(gda_memory_chunks() == 2 + n_heap + 1);
	CHECK((size_t)counts()->mrs == 2 * gda_memory_chunks());
	CHECK(gda_memory_chunk_log2() == 16);
	describe(1);
	CHECK(kernels.spans[1].n_chunks == n_heap);
	for (size_t c = 0; c < n_heap; c++)
		CHECK(keys[2 + c].rma ==
		      kernels.spans[1].keys[n_heap + c].rma + FAKE_RKEY);
	CHECK(keys[2].rma == keys[3].rma - 1);
	CHECK(keys[2 + n_heap].rma == kernels.spans[2].keys[1].rma + FAKE_RKEY);
	close_all();
	set("SHMEM_GDA_REGION", "1g");
	open_all();
	CHECK(gda_memory_chunk_log2() == 30 && gda_memory_chunks() == 3);
	close_all();
}

static void test_dmabuf(void)
{
	const int before = counts()->dmabufs;

	devices();
	set("SHMEM_GDA_REGION", "64k");
	open_all();
	CHECK(counts()->dmabufs == before + 2);
	CHECK(counts()->last_offset == FAKE_DMABUF_OFFSET + CHUNK);
	close_all();
	set("SHMEM_GDA_DMABUF", "no");
	open_all();
	CHECK(counts()->dmabufs == before + 2);
	close_all();
}

/* The platform has none, or the NIC takes none. */
static void test_peer_memory(void)
{
	const int before = counts()->dmabufs;

	devices();
	fake_dmabuf_rc = -EOPNOTSUPP;
	open_all();
	close_all();
	fake_dmabuf_rc = 0;
	setenv("FAKE_REFUSE", "dmabuf", 1);
	open_all();
	CHECK(gda_memory_atomics() && counts()->mrs == 3);
	close_all();
	CHECK(counts()->dmabufs == before);
	set("SHMEM_GDA_DMABUF", "yes");
	nics_open();
	capture_start();
	CHECK(gda_memory_open() == -EOPNOTSUPP);
	CHECK_SAYS("of the device heap by a dmabuf: Operation not supported; "
		   "SHMEM_GDA_DMABUF=yes allows no other way");
	close_all();
}

static void test_atomics(void)
{
	devices();
	setenv("FAKE_REFUSE", "mixed", 1);
	open_all();
	describe(0);
	CHECK(counts()->mrs == 6 && gda_memory_atomics());
	CHECK(counts()->last_access ==
	      (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC));
	for (int s = 0; s < 3; s++) {
		CHECK(keys[s].amo == keys[s].rma + 1);
		CHECK(kernels.spans[s].keys[0].amo ==
		      kernels.spans[s].keys[0].rma + 1);
	}
	close_all();
	setenv("FAKE_REFUSE", "atomics", 1);
	nics_open();
	capture_start();
	CHECK(!gda_memory_open());
	CHECK_SAYS("NIC mlx5_1:1 refuses atomics on memory");
	describe(0);
	CHECK(counts()->mrs == 3 && !gda_memory_atomics() && !bases.atomics);
	CHECK(keys[1].rma && !keys[1].amo);
	close_all();
	unsetenv("FAKE_REFUSE");
	fake_file("mlx5_1", "no_atomics", "1\n");
	nics_open();
	capture_start();
	CHECK(!gda_memory_open());
	CHECK_SAYS("");
	CHECK(counts()->mrs == 3 && !gda_memory_atomics());
	CHECK(!(counts()->last_access & IBV_ACCESS_REMOTE_ATOMIC));
	close_all();
}

/* Atomics that are none to processors: only if that is asked for. */
static void test_atomics_apart(void)
{
	devices();
	fake_file("mlx5_1", "atomics_apart", "1\n");
	nics_open();
	CHECK(!gda_memory_open());
	CHECK(!gda_memory_atomics());
	CHECK(!(counts()->last_access & IBV_ACCESS_REMOTE_ATOMIC));
	close_all();
	shmemi.env.net_atomics = SHMEMI_BY_DEVICE;
	nics_open();
	CHECK(!gda_memory_open());
	CHECK(gda_memory_atomics());
	CHECK(counts()->last_access & IBV_ACCESS_REMOTE_ATOMIC);
	close_all();
	shmemi.env.net_atomics = SHMEMI_BY_CPU;
}

/* What the first NIC took is given back when the second one refuses. */
static void test_refused(void)
{
	devices();
	set("SHMEM_GDA_NICS_PER_PE", "2");
	set("SHMEM_GDA_NICS", "mlx5_0,mlx5_1");
	setenv("FAKE_REFUSE", "second", 1);
	nics_open();
	capture_start();
	CHECK(gda_memory_open() == -ENOMEM);
	CHECK_SAYS("NIC mlx5_1:1 can't register 131072 bytes of the device "
		   "heap, neither by a dmabuf (Cannot allocate memory) nor by "
		   "peer memory (Cannot");
	CHECK(!counts()->mrs);
	shmemi_mine[CONDUIT_DEVICE].bytes = 0;
	capture_start();
	CHECK(gda_memory_open() == -ENOMEM);
	CHECK_SAYS("bytes of the host heap at");
	CHECK(!counts()->mrs);
	shmemi_mine[CONDUIT_DEVICE].bytes = DEVICE_BYTES;
	close_all();
}

static void test_no_data(void)
{
	devices();
	shmemi_mine[CONDUIT_DATA].bytes = 0;
	open_all();
	describe(0);
	CHECK(gda_memory_chunks() == 2 && kernels.n_spans == 3);
	CHECK(!kernels.spans[2].bytes && !kernels.spans[2].n_chunks);
	CHECK(gda_memory_atomics());
	shmemi_mine[CONDUIT_DATA].bytes = DATA_BYTES;
	close_all();
}

/* All queues of one allocation have one key; device memory has a dmabuf. */
static void test_queues(void)
{
	uint32_t a, b, c;
	int before, asked;
	char *p, own[64];

	devices();
	set("SHMEM_GDA_PLACES", "16");
	open_all();
	before = counts()->mrs;
	p = gda_pool_host(1000, 4096);
	CHECK(p && (uintptr_t)p % 4096 == 0 && !p[0] && !p[999]);
	CHECK(!gda_memory_of_queue(&gda_nics[0], p, 1000, &a));
	CHECK(counts()->last_access == IBV_ACCESS_LOCAL_WRITE);
	p = gda_pool_host(64, 64);
	CHECK(!gda_memory_of_queue(&gda_nics[0], p, 64, &b));
	CHECK(a == b && counts()->mrs == before + 1);
	p = gda_pool_host((size_t)3 << 20, 64);
	CHECK(p && !p[(3 << 20) - 1]);
	CHECK(!gda_memory_of_queue(&gda_nics[0], p, 64, &c));
	CHECK(c != a && counts()->mrs == before + 2);
	asked = counts()->dmabufs;
	p = gda_pool_device(64, 64);
	CHECK(!gda_memory_of_queue(&gda_nics[0], p, 64, &c));
	CHECK(counts()->dmabufs == asked + 1);
	CHECK(!gda_memory_of_queue(&gda_nics[0], own, sizeof(own), &c));
	CHECK(counts()->mrs == before + 4);
	setenv("FAKE_REFUSE", "all", 1);
	p = gda_pool_host((size_t)3 << 20, 64);
	capture_start();
	CHECK(gda_memory_of_queue(&gda_nics[0], p, 64, &c) < 0);
	CHECK_SAYS("of queues' memory at");
	unsetenv("FAKE_REFUSE");
	close_all();
}

static void test_pool(void)
{
	char *base, *first, *more;
	int is_device = 0;
	size_t bytes = 0;

	devices();
	set("SHMEM_GDA_PLACES", "16");
	nics_open();
	first = gda_pool_device(100, 64);
	CHECK(first && !gda_pool_find(first + 99, &base, &bytes, &is_device));
	CHECK(is_device && base <= first && first + 100 <= base + bytes);
	more = gda_pool_device(bytes, 4096);
	CHECK(more &&
	      !gda_pool_find(more + bytes - 1, &base, &bytes, &is_device));
	CHECK(base != first && (uintptr_t)more % 4096 == 0);
	CHECK(!gda_pool_find(gda_pool_host(1, 1), &base, &bytes, &is_device));
	CHECK(!is_device);
	CHECK(gda_pool_find(&bytes, &base, &bytes, &is_device) == -ENOENT);
	gda_pool_close();
	gda_nics_close();
	check_balance();
}

/* A doorbell page is shown once, and until its last user is gone. */
static void test_pages(void)
{
	char *page = aligned_alloc(4096, 8192);

	devices();
	nics_open();
	CHECK(gda_pool_map(page + 0x800, 8) == page + 0x800);
	CHECK(gda_pool_map(page + 0x808, 8) == page + 0x808);
	CHECK(fake_pages == 1);
	CHECK(gda_pool_map(page + 4096, 64) == page + 4096);
	CHECK(fake_pages == 2);
	gda_pool_unmap(page + 0x800, 8);
	CHECK(fake_pages == 2);
	gda_pool_unmap(page + 0x808, 8);
	CHECK(fake_pages == 1);
	CHECK(gda_pool_map(page, 4096) == page && fake_pages == 2);
	gda_pool_close();
	gda_nics_close();
	check_balance();
	free(page);
}

static const struct shmemd_gda_span *span_of(const void *p)
{
	const struct shmemd_gda_span *found = NULL;

	describe(0);
	for (unsigned int i = 0; i < kernels.n_spans; i++)
		if ((size_t)((const char *)p - kernels.spans[i].base) <
		    kernels.spans[i].bytes)
			found = &kernels.spans[i];
	return found;
}

static void test_buffers(void)
{
	static char many[100][64];
	char *heap = shmemi_mine[CONDUIT_HEAP].base;
	int before;

	devices();
	CHECK(!gda_buffer_register(many, 64));
	open_all();
	before = counts()->mrs;
	CHECK(!gda_buffer_register(heap, 64));
	CHECK(counts()->mrs == before);
	for (int i = 0; i < 100; i++)
		CHECK(!gda_buffer_register(many[i], 64));
	CHECK(counts()->mrs == before + GDA_SPANS - SHMEMD_GDA_SYMMETRIC);
	CHECK(counts()->last_access == IBV_ACCESS_LOCAL_WRITE);
	CHECK(span_of(many[7]) == &kernels.spans[3 + 7]);
	CHECK(!span_of(many[99]));
	gda_buffer_unregister(many[7]);
	gda_buffer_unregister(many[99]);
	CHECK(!span_of(many[7]) && span_of(many[6]) && span_of(many[8]));
	CHECK(!gda_buffer_register(many[99], 64));
	CHECK(span_of(many[99]) == &kernels.spans[3 + 7]);
	gda_buffer_unregister(many[8]);
	setenv("FAKE_REFUSE", "all", 1);
	capture_start();
	CHECK(gda_buffer_register(many[8], 64) == -ENOMEM);
	CHECK_SAYS("kernels copy what they send from it");
	CHECK(!span_of(many[8]));
	unsetenv("FAKE_REFUSE");
	close_all();
	CHECK(!counts()->mrs);
}

int main(void)
{
	fake_open();
	segments_open();
	test_whole();
	test_chunks();
	test_dmabuf();
	test_peer_memory();
	test_atomics();
	test_atomics_apart();
	test_refused();
	test_no_data();
	test_queues();
	test_pool();
	test_pages();
	test_buffers();
	segments_close();
	fake_close();
	return 0;
}
