/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "launch/io.h"
#include "launch/job.h"
#include "launch/message.h"
#include "launch/options.h"
#include "launch/path.h"
#include "launch/server.h"

struct start {
	const struct pe *pe;
	const char *path;
	char **argv;
	char **env;
	pid_t parent;
	pid_t *pgid;
	int fd[3]; /* the PE's stdin, stdout, stderr */
	volatile int error;
};

static struct {
	sigset_t mask;
	struct rlimit nofile;
	bool sigpipe_ignored;
} inherited;

void spawn_remember(void)
{
	struct sigaction pipe;

	sigprocmask(SIG_SETMASK, NULL, &inherited.mask);
	getrlimit(RLIMIT_NOFILE, &inherited.nofile);
	sigaction(SIGPIPE, NULL, &pipe);
	inherited.sigpipe_ignored = pipe.sa_handler == SIG_IGN;
}

static int resolve_fail(const char *name)
{
	int err = errno;

	if (err == EACCES || err == EISDIR)
		oshrun_say("%s: not executable: %s", name, strerror(err));
	else if (err == ENOENT && !strchr(name, '/'))
		oshrun_say("%s: program not found in PATH", name);
	else
		oshrun_say("%s: program not found: %s", name, strerror(err));
	return err == EACCES || err == EISDIR ? OSHRUN_EXIT_NOEXEC
					      : OSHRUN_EXIT_NOTFOUND;
}

int spawn_resolve(struct job *job)
{
	for (unsigned i = 0; i < job->opt->napps; i++) {
		struct oshrun_app *app = &job->opt->apps[i];

		app->path = path_find(app->argv[0]);
		if (!app->path)
			return resolve_fail(app->argv[0]);
	}
	return 0;
}

/* No handler of ours may run in the child, which shares our memory. */
static void child_reset_signals(void)
{
	struct sigaction now;

	for (int i = 0; i < JOB_NSIGNALS; i++) {
		sigaction(job_signals[i], NULL, &now);
		if (now.sa_handler != SIG_IGN)
			signal(job_signals[i], SIG_DFL);
	}
	signal(SIGPIPE, inherited.sigpipe_ignored ? SIG_IGN : SIG_DFL);
	sigprocmask(SIG_SETMASK, &inherited.mask, NULL);
}

static void child_place_fds(const int fd[3])
{
	for (int i = 0; i < 3; i++)
		if (fd[i] != i)
			dup2(fd[i], i);
}

__attribute__((noreturn)) static void child_run(struct start *s)
{
	setpgid(0, 0);
	*s->pgid = getpid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != s->parent)
		_exit(1);
	child_place_fds(s->fd);
	setrlimit(RLIMIT_NOFILE, &inherited.nofile);
	if (s->pe->cpuset &&
	    sched_setaffinity(0, s->pe->cpuset_bytes, s->pe->cpuset)) {
		s->error = errno;
		_exit(1);
	}
	child_reset_signals();
	execvpe(s->path, s->argv, s->env);
	s->error = errno;
	_exit(1);
}

/*
 * vfork: the child borrows our memory, so cost does not grow with ours, and
 * tells why exec failed through s->error.
 */
static pid_t child_start(struct start *s)
{
	sigset_t all, old;
	pid_t pid;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid = vfork();
	if (pid == 0)
		child_run(s);
	if (pid < 0)
		s->error = errno;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return pid;
}

static int start_fail(unsigned rank, const struct start *s, pid_t pid)
{
	int err = s->error;

	if (pid < 0) {
		oshrun_say("cannot start PE %u: fork: %s", rank, strerror(err));
		return OSHRUN_EXIT_RESOURCE;
	}
	oshrun_say("cannot start PE %u: %s: %s", rank, s->path, strerror(err));
	return err == ENOENT ? OSHRUN_EXIT_NOTFOUND : OSHRUN_EXIT_NOEXEC;
}

static int spawn_one(struct job *job, unsigned rank)
{
	struct pe *pe = &job->pes[rank];
	const struct oshrun_app *app = &job->opt->apps[pe->app];
	struct start s = {
		.pe = pe,
		.path = app->path,
		.argv = app->argv,
		.parent = getpid(),
		.pgid = &job->guarded->pgid[rank],
	};
	pid_t pid;

	s.env = server_make_env(job, rank);
	if (!s.env) {
		oshrun_say("cannot start PE %u: out of memory", rank);
		return OSHRUN_EXIT_RESOURCE;
	}
	if (io_open(job, rank, s.fd)) {
		server_free_env(s.env);
		oshrun_say("cannot start PE %u: pipe: %s", rank,
			   strerror(errno));
		return OSHRUN_EXIT_RESOURCE;
	}
	pid = child_start(&s);
	io_started(s.fd);
	server_free_env(s.env);
	if (pid > 0) {
		pe->pid = pid;
		job->nalive++;
	}
	return s.error ? start_fail(rank, &s, pid) : 0;
}

int spawn_all(struct job *job)
{
	int rc = 0;

	for (unsigned i = 0; i < job->npes && !rc; i++)
		rc = spawn_one(job, i);
	return rc;
}
