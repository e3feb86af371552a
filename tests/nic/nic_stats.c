/* SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nic_impl.h"

struct nic_counts nic_counts;

static const struct {
	const char *name;
	const uint64_t *n;
} rows[] = {
	{ "doorbells", &nic_counts.doorbells },
	{ "entries", &nic_counts.entries },
	{ "writes", &nic_counts.writes },
	{ "reads", &nic_counts.reads },
	{ "atomics", &nic_counts.atomics },
	{ "inlines", &nic_counts.inlines },
	{ "bytes", &nic_counts.bytes },
	{ "completions", &nic_counts.completions },
	{ "errors", &nic_counts.errors },
	{ "queues", &nic_counts.queues },
	{ "regions", &nic_counts.regions },
	{ "contexts", &nic_counts.contexts },
};

/* One write to a file that all append to: lines stay whole. */
static void append(const char *path, const char *line, size_t bytes)
{
	const int fd =
		open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	if (fd < 0 || write(fd, line, bytes) != (ssize_t)bytes)
		nic_say("can't write to NIC_STATS=%s", path);
	if (fd >= 0)
		close(fd);
}

void nic_stats_write(void)
{
	const char *path = getenv("NIC_STATS");
	const char *rank = getenv("PMIX_RANK");
	char line[1024];
	int n;

	if (!nic_counts.contexts)
		return;
	n = snprintf(line, sizeof(line), "{\"pid\": %d, \"rank\": %d",
		     (int)getpid(), rank ? atoi(rank) : -1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		n += snprintf(line + n, sizeof(line) - (size_t)n,
			      ", \"%s\": %" PRIu64, rows[i].name, *rows[i].n);
	n += snprintf(line + n, sizeof(line) - (size_t)n, "}\n");
	if (path && *path)
		append(path, line, (size_t)n);
	memset(&nic_counts, 0, sizeof(nic_counts));
}
