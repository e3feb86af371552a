/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/job.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/io.h"
#include "launch/message.h"
#include "launch/options.h"
#include "launch/relay.h"
#include "launch/server.h"
#include "launch/stragglers.h"

static const struct timeval grace_time = { .tv_sec = 1 };

const int job_signals[JOB_NSIGNALS] = { SIGINT,	 SIGTERM, SIGHUP,
					SIGQUIT, SIGUSR1, SIGUSR2,
					SIGTSTP, SIGCONT, SIGCHLD };

void job_signal(struct job *job, int signo)
{
	for (unsigned i = 0; i < job->npes; i++) {
		pid_t pgid = job->guarded->pgid[i];

		if (pgid > 0)
			kill(-pgid, signo);
	}
}

static void job_kill(struct job *job)
{
	job->state = JOB_KILLED;
	job_signal(job, SIGKILL);
}

void job_end(struct job *job, int code)
{
	if (!job->failed) {
		job->failed = true;
		job->exit_code = code;
	}
	if (job->state != JOB_RUNNING)
		return;
	job->state = JOB_ENDING;
	job_signal(job, SIGTERM);
	/* A stopped process would not see TERM. */
	job_signal(job, SIGCONT);
	evtimer_add(job->grace, &grace_time);
	job_check_done(job);
}

void job_abort(struct job *job, unsigned rank, int status, const char *why)
{
	if (!job->failed)
		oshrun_say("PE %u (pid %d, host %s) ended the job with "
			   "status %d%s%.*s",
			   rank, (int)job->pes[rank].pid, job->host, status,
			   *why ? ": " : "", (int)strcspn(why, "\n"), why);
	job_end(job, status & 0xff);
}

static void pe_failed(struct job *job, unsigned rank, int st)
{
	const int pid = (int)job->pes[rank].pid;
	int code;

	if (WIFSIGNALED(st))
		code = 128 + WTERMSIG(st);
	else
		code = WEXITSTATUS(st);
	if (!job->failed && WIFSIGNALED(st))
		oshrun_say("PE %u (pid %d, host %s) killed by signal %d "
			   "(%s)%s; ending the job",
			   rank, pid, job->host, WTERMSIG(st),
			   strsignal(WTERMSIG(st)),
			   WCOREDUMP(st) ? ", core dumped" : "");
	else if (!job->failed)
		oshrun_say("PE %u (pid %d, host %s) exited with status %d; "
			   "ending the job",
			   rank, pid, job->host, code);
	job_end(job, code);
}

/* Its peers may be waiting for it, and would for ever. */
static void pe_left(struct job *job, unsigned rank)
{
	if (!job->failed)
		oshrun_say("PE %u (pid %d, host %s) exited with status 0 but "
			   "did not finalize; ending the job",
			   rank, (int)job->pes[rank].pid, job->host);
	job_end(job, 1);
}

static void pe_reaped(struct job *job, unsigned rank, int st)
{
	struct pe *pe = &job->pes[rank];

	job->nalive--;
	if (!WIFEXITED(st) || WEXITSTATUS(st))
		pe_failed(job, rank, st);
	else if (server_has(rank))
		pe_left(job, rank);
	pe->pid = 0;
}

/* A group without members gives its number back to the system. */
static void groups_forget(struct job *job)
{
	for (unsigned i = 0; i < job->npes; i++) {
		pid_t *pgid = &job->guarded->pgid[i];

		if (*pgid > 0 && !job->pes[i].pid && kill(-*pgid, 0) &&
		    errno == ESRCH)
			*pgid = 0;
	}
}

static int rank_of(const struct job *job, pid_t pid)
{
	for (unsigned i = 0; i < job->npes; i++)
		if (job->pes[i].pid == pid)
			return (int)i;
	return -1;
}

static void on_child(evutil_socket_t fd, short what, void *arg)
{
	struct job *job = arg;
	pid_t pid;
	int st, rank;

	(void)fd;
	(void)what;
	if (job->state == JOB_DRAINING)
		return;
	while ((pid = waitpid(-1, &st, WNOHANG)) > 0) {
		/* A PE that aborts says so before it exits. */
		server_poll(job);
		rank = rank_of(job, pid);
		if (rank >= 0)
			pe_reaped(job, (unsigned)rank, st);
		else if (pid == job->guard_pid)
			job->guard_pid = 0;
	}
	groups_forget(job);
	job_check_done(job);
}

void job_check_done(struct job *job)
{
	if (job->nalive)
		return;
	if (job->state != JOB_DRAINING) {
		job->state = JOB_DRAINING;
		stragglers_kill(job);
		io_finish();
	}
	if (io_idle())
		event_base_loopbreak(job->base);
}

static void on_interrupt_again(struct job *job)
{
	oshrun_say("interrupted again; killing the job");
	io_discard();
	if (!job->failed)
		job->exit_code = 128 + SIGINT;
	job->failed = true;
	job_kill(job);
	job_check_done(job);
}

static void on_stop(struct job *job)
{
	job_signal(job, SIGTSTP);
	raise(SIGSTOP);
}

static void on_signal(evutil_socket_t signo, short what, void *arg)
{
	struct job *job = arg;

	(void)what;
	if (signo == SIGINT && job->ninterrupts++)
		on_interrupt_again(job);
	else if (signo == SIGTSTP)
		on_stop(job);
	else
		job_signal(job, (int)signo);
	if (signo == SIGCONT)
		relay_resume();
}

static void on_grace_over(evutil_socket_t fd, short what, void *arg)
{
	struct job *job = arg;

	(void)fd;
	(void)what;
	if (job->state == JOB_ENDING)
		job_kill(job);
}

static void on_timeout(evutil_socket_t fd, short what, void *arg)
{
	struct job *job = arg;

	(void)fd;
	(void)what;
	if (!job->failed)
		oshrun_say("timeout after %g s; ending the job",
			   job->opt->timeout_s);
	job_end(job, OSHRUN_EXIT_TIMEOUT);
}

static int watch_signal(struct job *job, int signo, event_callback_fn fn)
{
	struct event *ev = evsignal_new(job->base, signo, fn, job);

	return ev && !event_add(ev, NULL) ? 0 : -ENOMEM;
}

/* nohup: a hang-up that was ignored stays ignored. */
static int is_wanted(int signo)
{
	struct sigaction now;

	return signo != SIGHUP || sigaction(signo, NULL, &now) ||
	       now.sa_handler != SIG_IGN;
}

static int watch_time(struct job *job)
{
	const double s = job->opt->timeout_s;
	struct timeval tv = { .tv_sec = (time_t)s };

	tv.tv_usec = (suseconds_t)((s - (double)tv.tv_sec) * 1e6);
	job->timeout = evtimer_new(job->base, on_timeout, job);
	job->grace = evtimer_new(job->base, on_grace_over, job);
	if (!job->timeout || !job->grace)
		return -ENOMEM;
	return s > 0 ? event_add(job->timeout, &tv) : 0;
}

int job_watch(struct job *job)
{
	int rc = watch_time(job);

	for (int i = 0; !rc && i < JOB_NSIGNALS; i++) {
		const int signo = job_signals[i];

		if (is_wanted(signo))
			rc = watch_signal(job, signo,
					  signo == SIGCHLD ? on_child
							   : on_signal);
	}
	return rc;
}

int job_init(struct job *job, const struct oshrun_options *opt)
{
	unsigned rank = 0;

	job->opt = opt;
	for (unsigned app = 0; app < opt->napps; app++)
		job->npes += opt->apps[app].npes;
	job->pes = calloc(job->npes, sizeof(*job->pes));
	if (!job->pes)
		return -ENOMEM;
	for (unsigned app = 0; app < opt->napps; app++)
		for (unsigned i = 0; i < opt->apps[app].npes; i++)
			job->pes[rank++].app = app;
	if (gethostname(job->host, sizeof(job->host) - 1))
		strcpy(job->host, "localhost");
	return 0;
}
