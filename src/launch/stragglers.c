/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/stragglers.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "launch/job.h"

/* Bounds a fork bomb or a process that the kernel cannot end at once. */
enum { ROUNDS = 1000 };

void stragglers_adopt(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Kills the children listed in one file of /proc; returns how many. */
static int list_kill(const char *thread, pid_t spare)
{
	char path[64];
	FILE *list;
	int pid, n = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%.16s/children", thread);
	list = fopen(path, "re");
	if (!list)
		return 0;
	while (fscanf(list, "%d", &pid) == 1)
		if (pid != spare) {
			kill(pid, SIGKILL);
			n++;
		}
	fclose(list);
	return n;
}

static int children_kill(pid_t spare)
{
	DIR *threads = opendir("/proc/self/task");
	struct dirent *d;
	int n = 0;

	if (!threads)
		return 0;
	while ((d = readdir(threads)))
		if (d->d_name[0] != '.')
			n += list_kill(d->d_name, spare);
	closedir(threads);
	return n;
}

/* The guardian is a child too: wait only for those known to be killed. */
static void children_reap(struct job *job, int n)
{
	while (n--) {
		pid_t pid = waitpid(-1, NULL, 0);

		if (pid == job->guard_pid)
			job->guard_pid = 0;
		if (pid < 0 && errno != EINTR)
			return;
	}
}

void stragglers_kill(struct job *job)
{
	int n;

	job_signal(job, SIGKILL);
	for (int i = 0; i < ROUNDS; i++) {
		n = children_kill(job->guard_pid);
		if (!n)
			return;
		children_reap(job, n);
	}
}

/* True if a "\0"-ended string in the file equals `mark`. */
static bool has_string(const char *path, const char *mark)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;
	bool found = false;

	if (!f)
		return false;
	while (!found && getdelim(&text, &room, '\0', f) > 0)
		found = !strcmp(text, mark);
	free(text);
	fclose(f);
	return found;
}

void stragglers_kill_marked(const char *nspace)
{
	DIR *proc = opendir("/proc");
	char mark[PATH_MAX + 32], path[64];
	struct dirent *d;

	if (!proc)
		return;
	snprintf(mark, sizeof(mark), "PMIX_NAMESPACE=%s", nspace);
	while ((d = readdir(proc))) {
		int pid = atoi(d->d_name);

		snprintf(path, sizeof(path), "/proc/%d/environ", pid);
		if (pid > 0 && has_string(path, mark))
			kill(pid, SIGKILL);
	}
	closedir(proc);
}
