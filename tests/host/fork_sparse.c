/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * To fork costs what was touched of the static data, not its size: pages that
 * nobody touched are neither allocated nor copied, and read as zero in the
 * child; those that were are its own.
 * PES: 2
 */
#include "check.h"
#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define BIG ((size_t)768 << 20)
#define FEW_PAGES 16384

static char big[BIG];
static const size_t touched[] = { 0, 5, BIG / 2, BIG / 2 + 70000, BIG - 1 };

/* Of memory files of the library that this process has, in pages of 4 KiB. */
static long file_pages(void)
{
	DIR *d = opendir("/proc/self/fd");
	const struct dirent *e;
	long blocks = 0;

	while (d && (e = readdir(d))) {
		char name[300], target[64] = "";
		struct stat st;

		snprintf(name, sizeof(name), "/proc/self/fd/%s", e->d_name);
		if (readlink(name, target, sizeof(target) - 1) > 0 &&
		    !strncmp(target, "/memfd:sirocco", 14) && !stat(name, &st))
			blocks += (long)st.st_blocks;
	}
	if (d)
		closedir(d);
	return blocks / 8;
}

static int child(void)
{
	int bad = 0;

	for (size_t i = 0; i < sizeof(touched) / sizeof(*touched); i++) {
		bad |= big[touched[i]] != (char)(i + 1);
		big[touched[i]] = 99;
	}
	for (size_t at = BIG / 4; at < BIG / 2; at += BIG / 64)
		bad |= big[at] != 0;
	big[BIG / 8] = 99;
	return bad;
}

static void forks(void)
{
	struct rusage usage;
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(child());
	waitpid(pid, &status, 0);
	CHECK_EQ(status, 0);
	getrusage(RUSAGE_CHILDREN, &usage);
	CHECK(usage.ru_minflt < FEW_PAGES);
}

int main(void)
{
	long before;

	shmem_init();
	for (size_t i = 0; i < sizeof(touched) / sizeof(*touched); i++)
		big[touched[i]] = (char)(i + 1);
	shmem_barrier_all();
	before = file_pages();
	CHECK(before > 0);
	forks();
	forks();
	CHECK_EQ(system("exit 0"), 0);
	CHECK(file_pages() < before + FEW_PAGES);
	for (size_t i = 0; i < sizeof(touched) / sizeof(*touched); i++)
		CHECK_EQ(big[touched[i]], i + 1);
	CHECK_EQ(big[BIG / 8], 0);
	shmem_barrier_all();
	return check_end();
}
