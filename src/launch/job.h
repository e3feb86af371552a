/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The job: what oshrun starts, watches and ends. One struct job per oshrun;
 * every function here runs on the main thread, inside the event loop.
 */
#ifndef OSHRUN_JOB_H
#define OSHRUN_JOB_H

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct event;
struct event_base;
struct oshrun_options;

enum {
	OSHRUN_EXIT_USAGE = 64,
	OSHRUN_EXIT_RESOURCE = 71,
	OSHRUN_EXIT_TIMEOUT = 124,
	OSHRUN_EXIT_NOEXEC = 126,
	OSHRUN_EXIT_NOTFOUND = 127,
};

enum job_state {
	JOB_RUNNING,  /* nobody failed */
	JOB_ENDING,   /* TERM sent, grace period running */
	JOB_KILLED,   /* KILL sent */
	JOB_DRAINING, /* every PE reaped, output still on its way */
};

struct pe {
	pid_t pid;	   /* 0: not started, or reaped */
	unsigned app;	   /* index into oshrun_options.apps */
	cpu_set_t *cpuset; /* NULL: not bound */
	size_t cpuset_bytes;
	struct hwloc_bitmap_s *bitmap; /* the same, for PMIx */
};

/* Shared with the guardian, which acts on it when oshrun is gone. */
struct guard_table {
	char session[PATH_MAX]; /* directory to remove, "" for none */
	unsigned npes;
	pid_t pgid[]; /* process group of each PE, 0: none left */
};

struct job {
	const struct oshrun_options *opt;
	unsigned npes;
	unsigned nalive;
	struct pe *pes;
	enum job_state state;
	bool failed; /* exit_code is decided */
	int exit_code;
	unsigned ninterrupts;
	char host[256];
	char nspace[256]; /* a pmix_nspace_t */
	struct event_base *base;
	struct event *grace;
	struct event *timeout;
	struct guard_table *guarded;
	int guard_fd;
	pid_t guard_pid;
};

/* What oshrun catches: the signals it passes on to the PEs, and CHLD. */
enum { JOB_NSIGNALS = 9 };
extern const int job_signals[JOB_NSIGNALS];

/* Builds the PE table from the options; 0 or -ENOMEM. */
int job_init(struct job *job, const struct oshrun_options *opt);

/* Installs signal and timeout events; 0 or -ENOMEM. */
int job_watch(struct job *job);

/*
 * PE `rank` asked to end the job with `status` (any value, 0 included).
 * Later calls change neither the exit code nor the message.
 */
void job_abort(struct job *job, unsigned rank, int status, const char *why);

/* Ends the job with `code` if none was decided yet: TERM, grace, KILL. */
void job_end(struct job *job, int code);

/* Sends `signo` to the process group of every PE that was started. */
void job_signal(struct job *job, int signo);

/* Leaves the event loop once no PE, straggler or output is left. */
void job_check_done(struct job *job);

#endif
