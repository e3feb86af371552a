/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "launch/job.h"
#include "launch/message.h"
#include "launch/options.h"

/*
 * Least needs of a PE that talks PMIx: two threads and some pages of its own;
 * of oshrun for it: a socket.
 */
enum { PE_TASKS = 2, PE_BYTES = 1 << 21, PE_FDS = 1, OWN_FDS = 64 };

static int refuse(const struct job *job, const char *limit,
		  unsigned long long has, unsigned long long needs)
{
	oshrun_say("cannot start %u PEs: %s allows %llu, needed are %llu",
		   job->npes, limit, has, needs);
	return OSHRUN_EXIT_RESOURCE;
}

static int fds_check(const struct job *job)
{
	const rlim_t per_pe = PE_FDS + (job->opt->tag_output ? 2 : 0);
	const rlim_t need = OWN_FDS + job->npes * per_pe;
	struct rlimit now, wanted = { .rlim_cur = need };

	if (getrlimit(RLIMIT_NOFILE, &now) || now.rlim_cur >= need)
		return 0;
	wanted.rlim_max = now.rlim_max < need ? need : now.rlim_max;
	if (!setrlimit(RLIMIT_NOFILE, &wanted))
		return 0;
	return refuse(job, "RLIMIT_NOFILE", now.rlim_max, need);
}

/* The first number in a file, or `absent` (also for "max"). */
static unsigned long long read_number(const char *path,
				      unsigned long long absent)
{
	FILE *f = fopen(path, "re");
	unsigned long long v;

	if (!f)
		return absent;
	if (fscanf(f, "%llu", &v) != 1)
		v = absent;
	fclose(f);
	return v;
}

/*
 * root is exempt; for others the kernel counts tasks of the whole user, so
 * this refuses only what cannot work whatever else is running.
 */
static int nproc_check(const struct job *job)
{
	unsigned long long need = (unsigned long long)job->npes * PE_TASKS;
	unsigned long long all;
	struct rlimit now;

	if (geteuid() && !getrlimit(RLIMIT_NPROC, &now) && now.rlim_cur < need)
		return refuse(job, "RLIMIT_NPROC", now.rlim_cur, need);
	all = read_number("/proc/sys/kernel/threads-max", need);
	if (all < need)
		return refuse(job, "kernel.threads-max", all, need);
	all = read_number("/proc/sys/kernel/pid_max", need);
	return all < need ? refuse(job, "kernel.pid_max", all, need) : 0;
}

/* Our directory in the cgroup hierarchy of `controller`, v2 ("") or v1. */
static int cgroup_find(const char *controller, char *path, size_t bytes)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[PATH_MAX + 64], name[64];
	int found = 0;

	if (!f)
		return 0;
	while (!found && fgets(line, sizeof(line), f)) {
		char *names = strchr(line, ':');
		char *dir = names ? strchr(names + 1, ':') : NULL;

		if (!dir)
			continue;
		*dir++ = '\0';
		dir[strcspn(dir, "\n")] = '\0';
		snprintf(name, sizeof(name), "%s", names + 1);
		if (strcmp(name, controller))
			continue;
		found = snprintf(path, bytes, "/sys/fs/cgroup%s%s%s",
				 *name ? "/" : "", name, dir) < (int)bytes;
	}
	fclose(f);
	return found;
}

/*
 * What the cgroup at `dir` has left of a resource (without `current`: allows
 * in all); `all` for no limit.
 */
static unsigned long long cgroup_left(const char *dir, const char *max,
				      const char *current,
				      unsigned long long all)
{
	char path[PATH_MAX + 64];
	unsigned long long limit, used;

	snprintf(path, sizeof(path), "%s/%s", dir, max);
	limit = read_number(path, all);
	if (!current || limit == all)
		return limit;
	snprintf(path, sizeof(path), "%s/%s", dir, current);
	used = read_number(path, 0);
	return limit > used ? limit - used : 0;
}

/* Also ancestors limit: the least that any level has left. */
static unsigned long long cgroup_least(const char *controller, const char *max,
				       const char *current)
{
	unsigned long long least = ~0ULL;
	char dir[PATH_MAX];

	if (!cgroup_find(controller, dir, sizeof(dir)))
		return least;
	while (strlen(dir) >= strlen("/sys/fs/cgroup")) {
		unsigned long long left = cgroup_left(dir, max, current, ~0ULL);

		if (left < least)
			least = left;
		*strrchr(dir, '/') = '\0';
	}
	return least;
}

static unsigned long long least_of(unsigned long long a, unsigned long long b)
{
	return a < b ? a : b;
}

static int cgroup_check(const struct job *job)
{
	unsigned long long need = (unsigned long long)job->npes * PE_TASKS;
	unsigned long long left =
		least_of(cgroup_least("", "pids.max", "pids.current"),
			 cgroup_least("pids", "pids.max", "pids.current"));

	return left < need ? refuse(job, "the pids cgroup", left, need) : 0;
}

static unsigned long long memory_free(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	unsigned long long kib = 0;
	char line[128];

	if (!f)
		return ~0ULL;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
			break;
	fclose(f);
	return kib ? kib * 1024 : ~0ULL;
}

static int memory_check(const struct job *job)
{
	unsigned long long need = (unsigned long long)job->npes * PE_BYTES;
	unsigned long long left = memory_free();

	if (left < need)
		return refuse(job, "available memory in bytes", left, need);
	/* What is in use there includes caches, which give way. */
	left = least_of(cgroup_least("", "memory.max", NULL),
			cgroup_least("memory", "memory.limit_in_bytes", NULL));
	if (left < need)
		return refuse(job, "the memory cgroup in bytes", left, need);
	return 0;
}

int limits_check(const struct job *job)
{
	int rc = fds_check(job);

	if (!rc)
		rc = nproc_check(job);
	if (!rc)
		rc = cgroup_check(job);
	return rc ? rc : memory_check(job);
}
