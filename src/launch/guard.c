/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch/job.h"
#include "launch/session.h"
#include "launch/stragglers.h"

/* Processes in the middle of a core dump or of I/O need a moment to go. */
enum { GUARD_ROUNDS = 500, GUARD_PAUSE_NS = 10 * 1000 * 1000 };

static int groups_kill(const struct guard_table *table)
{
	int left = 0;

	for (unsigned i = 0; i < table->npes; i++)
		if (table->pgid[i] > 0 && !kill(-table->pgid[i], SIGKILL))
			left++;
	return left;
}

static void guard_clean(const struct guard_table *table)
{
	const struct timespec pause = { .tv_nsec = GUARD_PAUSE_NS };

	for (int i = 0; i < GUARD_ROUNDS; i++) {
		int left = groups_kill(table);

		/* Those who left their group are still marked. */
		if (i == 0 && *table->session)
			stragglers_kill_marked(session_name(table->session));
		session_remove(table->session);
		if (!left)
			break;
		nanosleep(&pause, NULL);
	}
}

static void guard_detach(int fd)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t all;

	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int i = 0; i < 3; i++)
		if (null >= 0 && i != fd)
			dup2(null, i);
	prctl(PR_SET_NAME, "oshrun-guard");
	if (chdir("/"))
		return;
}

static void guard_main(const struct guard_table *table, int fd)
{
	char byte;
	ssize_t n;

	guard_detach(fd);
	do
		n = read(fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		guard_clean(table);
	_exit(0);
}

static int table_create(struct job *job)
{
	size_t bytes = sizeof(*job->guarded) + job->npes * sizeof(pid_t);
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	job->guarded = p;
	job->guarded->npes = job->npes;
	return 0;
}

int guard_start(struct job *job)
{
	int fd[2];
	int rc = table_create(job);

	if (rc)
		return rc;
	if (pipe2(fd, O_CLOEXEC))
		return -errno;
	job->guard_pid = fork();
	if (job->guard_pid == 0) {
		close(fd[1]);
		guard_main(job->guarded, fd[0]);
	}
	rc = job->guard_pid < 0 ? -errno : 0;
	close(fd[0]);
	job->guard_fd = fd[1];
	return rc;
}

void guard_stop(struct job *job)
{
	if (job->guard_pid <= 0)
		return;
	/* A killed guardian makes this EPIPE: nothing is left to dismiss. */
	if (write(job->guard_fd, "", 1) < 0)
		kill(job->guard_pid, SIGKILL);
	while (waitpid(job->guard_pid, NULL, 0) < 0 && errno == EINTR)
		;
}
