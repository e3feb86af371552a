/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PES: 1 2
 * ENV: SHMEM_PLATFORM=cpu
 *
 * The routines around kernels: a launch runs all work-items with the argument
 * of the call, streams and graphs keep order, memory of each kind is copied and
 * filled; a kernel's file knows the library before and after init, and calls
 * outside of kernels are the host's.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <shmem/device.h>

#define WGS 3
#define ITEMS 40

static int failures;

#define CHECK(what) \
	do { \
		if (!(what)) { \
			printf("line %d: %s\n", __LINE__, #what); \
			failures++; \
		} \
	} while (0)

struct count_args {
	long *counts; /* of each work-item */
	long add;
};

SHMEMX_KERNEL(count, struct count_args, a)
{
	a.counts[shmemx_wg() * shmemx_nitems() + shmemx_item()] +=
		a.add + shmem_my_pe() * 1000;
}

struct shift_args {
	long *to;
	const long *from;
};

SHMEMX_KERNEL(shift, struct shift_args, a)
{
	int pe = (shmem_my_pe() + 1) % shmem_n_pes();

	shmemx_put_wg(a.to, a.from, ITEMS, pe);
	shmemx_barrier_all_wg();
}

static void launch_count(long *counts, long add, shmemx_stream_t stream)
{
	struct count_args args = { counts, add };

	CHECK(!shmemx_launch(SHMEMX_KERNEL_REF(count), WGS, ITEMS, &args,
			     sizeof(args), stream));
	memset(&args, 0, sizeof(args));
}

static void check_counts(const long *counts, long expected)
{
	for (int i = 0; i < WGS * ITEMS; i++)
		if (counts[i] != expected) {
			printf("work-item %d: %ld, expected %ld\n", i,
			       counts[i], expected);
			failures++;
			return;
		}
}

static void test_streams(void)
{
	size_t bytes = WGS * ITEMS * sizeof(long);
	long *counts = shmemx_device_alloc(bytes), host[WGS * ITEMS];
	long mine = 1000L * shmem_my_pe();
	shmemx_stream_t stream;
	shmemx_graph_t graph;

	CHECK(counts);
	CHECK(!shmemx_stream_create(&stream));
	launch_count(counts, 1, stream);
	launch_count(counts, 2, stream);
	CHECK(!shmemx_stream_synchronize(stream));
	CHECK(!shmemx_stream_query(stream));
	CHECK(!shmemx_memcpy(host, counts, bytes));
	check_counts(host, 3 + 2 * mine);

	CHECK(!shmemx_memset(counts, 0, bytes));
	CHECK(!shmemx_capture_begin(stream));
	launch_count(counts, 5, stream);
	CHECK(!shmemx_capture_end(stream, &graph));
	for (int i = 0; i < 3; i++)
		CHECK(!shmemx_graph_launch(graph, stream));
	CHECK(!shmemx_stream_destroy(stream));
	CHECK(!shmemx_graph_destroy(graph));
	CHECK(!shmemx_memcpy(host, counts, bytes));
	check_counts(host, 15 + 3 * mine);
	shmemx_device_free(counts);
	shmemx_device_free(NULL);
}

static void test_shift(void)
{
	struct shift_args args = { shmemx_malloc_device(ITEMS * sizeof(long)),
				   shmemx_malloc_host(ITEMS * sizeof(long)) };
	int left = (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes();
	long host[ITEMS];
	int n = 0;

	for (int i = 0; i < ITEMS; i++)
		host[i] = shmem_my_pe() * 100 + i;
	CHECK(!shmemx_memcpy((void *)args.from, host, sizeof(host)));
	shmem_barrier_all();
	CHECK(!shmemx_max_wgs(SHMEMX_KERNEL_REF(shift), ITEMS, &n) && n >= 1);
	CHECK(!shmemx_launch(SHMEMX_KERNEL_REF(shift), 1, ITEMS, &args,
			     sizeof(args), NULL));
	CHECK(!shmemx_stream_synchronize(NULL));
	CHECK(!shmemx_memcpy(host, args.to, sizeof(host)));
	for (int i = 0; i < ITEMS; i++)
		CHECK(host[i] == left * 100 + i);
	shmem_free(args.to);
	shmem_free((void *)args.from);
}

static void test_errors(void)
{
	struct shmemx_runtime other = { .platform = "other" };
	struct shmemx_kernel kernel = { .name = "x", .runtime = &other };

	CHECK(shmemx_launch(SHMEMX_KERNEL_REF(count), 0, 1, "", 1, NULL) < 0);
	CHECK(shmemx_launch(SHMEMX_KERNEL_REF(count), 1, 1025, "", 1, NULL) <
	      0);
	CHECK(shmemx_launch(&kernel, 1, 1, "", 1, NULL) == -EINVAL);
	CHECK(shmemx_module_init(&kernel) == -EOPNOTSUPP);
	CHECK(!shmemx_module_init(NULL));
}

/* Calls of this file are the host's outside of kernels. */
static void test_host(void)
{
	static long x, y = 7;

	CHECK(shmemx_item() == 0 && shmemx_nitems() == 1);
	CHECK(shmemx_wg() == 0 && shmemx_nwgs() == 1);
	shmem_put(&x, &y, 1, shmem_my_pe());
	shmem_quiet();
	CHECK(x == 7);
	shmemx_put_wg(&x, &y, 1, shmem_my_pe());
	shmem_barrier_all();
}

int main(void)
{
	shmem_init();
	CHECK(!strcmp(shmemx_platform(), "cpu"));
	test_streams();
	test_shift();
	test_errors();
	test_host();
	shmem_finalize();
	shmem_init();
	test_shift();
	shmem_finalize();
	return failures != 0;
}
