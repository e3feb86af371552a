/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A forked child has its own copy of the globals, in both directions, while
 * the PE's stay symmetric; system, popen and children that exec or exit at
 * once work; a hundred forks leave no descriptors behind.
 * PES: 1 2 3
 */
#include "check.h"
#include <dirent.h>
#include <sys/mman.h>
#include <sys/wait.h>

static long global = 5, late = 1;
static char big[300000] = "big";
static volatile int *stage; /* shared with the child on purpose */

static void stage_wait(int value)
{
	while (*stage != value)
		check_sleep_ms(1);
}

static int child(void)
{
	int bad = 0;

	bad |= global != 6;
	bad |= strcmp(big, "big") != 0;
	global = 1000;
	big[299999] = 'c';
	*stage = 1;
	stage_wait(2);
	/* Neither the parent's store nor the peer's put. */
	bad |= global != 1000 || late != 1 || big[0] != 'b' ||
	       big[299999] != 'c';
	*stage = 3;
	return bad;
}

static int exit_code(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

static void copies(long *heap)
{
	int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
	pid_t pid;

	global = 6;
	*heap = 70 + me;
	shmem_barrier_all();
	*stage = 0;
	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(child());
	CHECK(pid > 0);
	stage_wait(1);
	CHECK_EQ(global, 6);
	CHECK_EQ(big[299999], 0);
	global = 7;
	shmem_barrier_all();
	shmem_long_p(&late, 99, next);
	shmem_putmem(big, "BIG", 4, next);
	shmem_barrier_all();
	*stage = 2;
	stage_wait(3);
	CHECK_EQ(exit_code(pid), 0);
	CHECK_EQ(late, 99);
	CHECK(!strcmp(big, "BIG"));
	CHECK_EQ(global, 7);
	shmem_long_p(heap, 80 + me, next);
	shmem_barrier_all();
	CHECK_EQ(*heap, 80 + (me + n - 1) % n);
}

static int count_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

static void children(void)
{
	char line[64] = "";
	FILE *f;

	CHECK_EQ(system("exit 3"), 3 << 8);
	f = popen("echo from a child", "r");
	CHECK(f != NULL);
	CHECK(f && fgets(line, sizeof(line), f));
	CHECK(!strcmp(line, "from a child\n"));
	CHECK_EQ(f ? pclose(f) : -1, 0);
}

static void many(void)
{
	int fds = count_fds();

	for (int i = 0; i < 100; i++) {
		pid_t pid;

		global = i;
		pid = fork();
		if (!pid)
			_exit(global == i ? i % 50 : 99);
		global = -1;
		CHECK_EQ(exit_code(pid), i % 50);
	}
	CHECK_EQ(count_fds(), fds);
}

int main(void)
{
	long *heap;

	stage = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	shmem_init();
	heap = shmem_malloc(sizeof(*heap));
	copies(heap);
	children();
	many();
	children();
	shmem_barrier_all();
	shmem_free(heap);
	return check_end();
}
