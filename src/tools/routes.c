/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/routes.h"

#include <stdio.h>
#include <string.h>

#include "conduits/gda/gda.h"
#include "host/device.h"
#include <shmem/platform.h>

/* How one PE reaches another, ready to print. */
struct route_text {
	char host[64];
	char heap[24];
	char data[24];
	char device[24];
	char kernels[24];
};

static void describe(char *text, size_t bytes, int pe, int seg)
{
	const struct conduit *conduit = shmemi.peers[pe].conduit[seg];

	if (!shmemi.segment[seg].bytes)
		snprintf(text, bytes, "%s",
			 seg == CONDUIT_DATA ? "not shared" : "none");
	else if (shmemi.routes[pe].base[seg])
		snprintf(text, bytes, "%s, loads and stores", conduit->name);
	else
		snprintf(text, bytes, "%s", conduit->name);
}

static void describe_kernels(char *text, size_t bytes, int pe)
{
	const char *kind = gda_kind();

	if (!shmemi_device_is_far(pe))
		snprintf(text, bytes, "loads and stores");
	else if (kind)
		snprintf(text, bytes, "gda, %s", kind);
	else
		snprintf(text, bytes, "proxy");
}

static void fill(struct route_text *rows)
{
	memset(rows, 0, (size_t)shmemi.n_pes * sizeof(*rows));
	for (int pe = 0; pe < shmemi.n_pes; pe++) {
		struct route_text *row = &rows[pe];

		strcpy(row->host, shmemi.peers[pe].host);
		describe(row->heap, sizeof(row->heap), pe, CONDUIT_HEAP);
		describe(row->data, sizeof(row->data), pe, CONDUIT_DATA);
		describe(row->device, sizeof(row->device), pe, CONDUIT_DEVICE);
		describe_kernels(row->kernels, sizeof(row->kernels), pe);
	}
}

/* On one node the last column would say nothing more. */
static void print_row(const char *from, const char *to,
		      const struct route_text *row)
{
	printf("%-5s %-9s %-16s %-23s %-23s ", from, to, row->host, row->heap,
	       row->data);
	if (shmemi.net)
		printf("%-23s %s\n", row->device, row->kernels);
	else
		printf("%s\n", row->device);
}

/* Neighbours that are reached alike share a line. */
static void print_rows(int from, const struct route_text *rows)
{
	int first = 0;

	for (int pe = 1; pe <= shmemi.n_pes; pe++) {
		char text[16], to[32];

		if (pe < shmemi.n_pes &&
		    !memcmp(&rows[pe], &rows[first], sizeof(*rows)))
			continue;
		snprintf(to, sizeof(to), pe - first > 1 ? "%d-%d" : "%d", first,
			 pe - 1);
		snprintf(text, sizeof(text), "%d", from);
		print_row(text, to, &rows[first]);
		first = pe;
	}
}

void routes_print(void)
{
	static const struct route_text head = { "on", "host heap",
						"static data", "device heap",
						"kernels" };
	struct route_text *rows;
	size_t bytes;

	shmem_init();
	bytes = (size_t)shmemi.n_pes * sizeof(*rows);
	rows = shmemx_malloc_host(bytes);
	if (!rows) {
		fprintf(stderr, "shmem_info: the heap has no %zu bytes; raise "
				"SHMEM_HOST_HEAP_SIZE\n", bytes);
		shmem_global_exit(1);
	}
	fill(rows);
	shmem_barrier_all();
	if (!shmemi.me)
		print_row("from", "to", &head);
	for (int pe = 0; !shmemi.me && pe < shmemi.n_pes; pe++) {
		shmem_getmem(rows, rows, pe ? bytes : 0, pe);
		print_rows(pe, rows);
	}
	if (!shmemi.me && shmemi.net)
		printf("%s: %s\n", shmemi.net->name, shmemi.net->note);
	fflush(stdout);
	shmem_barrier_all();
	shmem_free(rows);
	shmem_finalize();
}
