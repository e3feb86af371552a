/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/bind.h"
#include "launch/env.h"
#include "launch/guard.h"
#include "launch/handover.h"
#include "launch/hosts.h"
#include "launch/io.h"
#include "launch/job.h"
#include "launch/limits.h"
#include "launch/message.h"
#include "launch/options.h"
#include "launch/server.h"
#include "launch/session.h"
#include "launch/spawn.h"
#include "launch/stragglers.h"

static int fail(const char *what, int rc)
{
	oshrun_say("%s: %s", what, strerror(-rc));
	return OSHRUN_EXIT_RESOURCE;
}

/* Without threads yet: what later parts, or the guardian, rest on. */
static int prepare(struct job *job)
{
	int rc = spawn_resolve(job);

	if (rc)
		return rc;
	rc = limits_check(job);
	if (rc)
		return rc;
	rc = guard_start(job);
	if (rc)
		return fail("guardian", rc);
	if (session_create(job->guarded->session,
			   sizeof(job->guarded->session)))
		return OSHRUN_EXIT_RESOURCE;
	snprintf(job->nspace, sizeof(job->nspace), "%s",
		 session_name(job->guarded->session));
	if (job->opt->verbose)
		oshrun_say("session directory %s", job->guarded->session);
	return bind_all(job);
}

static int start(struct job *job)
{
	int rc;

	job->base = event_base_new();
	if (!job->base)
		return fail("event loop", -ENOMEM);
	rc = job_watch(job);
	if (!rc)
		rc = io_start(job);
	if (rc)
		return fail("event loop", rc);
	if (server_start(job))
		return OSHRUN_EXIT_RESOURCE;
	env_export(job->opt);
	stragglers_adopt();
	rc = spawn_all(job);
	if (rc)
		job_end(job, rc);
	if (job->opt->verbose)
		oshrun_say("%u of %u PEs started", job->nalive, job->npes);
	return 0;
}

static int run(struct job *job)
{
	int rc = prepare(job);

	if (!rc)
		rc = start(job);
	if (!rc) {
		job_check_done(job);
		event_base_dispatch(job->base);
		rc = job->exit_code;
	}
	if (job->guarded)
		session_remove(job->guarded->session);
	guard_stop(job);
	return rc;
}

static void set_wdir(const struct oshrun_options *opt)
{
	if (!opt->wdir || !chdir(opt->wdir))
		return;
	oshrun_say("--wdir %s: %s", opt->wdir, strerror(errno));
	exit(OSHRUN_EXIT_USAGE);
}

int main(int argc, char **argv)
{
	static struct oshrun_options opt;
	static struct job job;
	struct host_list hosts = { 0 };
	int rc;

	io_reserve_std();
	options_parse(&opt, argc, argv);
	hosts_read(&opt, &hosts);
	if (hosts_are_remote(&hosts))
		return handover(&opt, &hosts);
	if (opt.napps == 1 && !opt.apps[0].npes)
		opt.apps[0].npes = hosts_count_slots(&hosts);
	spawn_remember();
	signal(SIGPIPE, SIG_IGN);
	env_scrub();
	set_wdir(&opt);
	bind_default_npes(&opt);
	if (job_init(&job, &opt)) {
		oshrun_say("out of memory");
		return OSHRUN_EXIT_RESOURCE;
	}
	rc = run(&job);
	fflush(NULL);
	/*
	 * PMIx_server_finalize crashes after an abort, and a process that
	 * ends needs none of what it frees.
	 */
	_exit(rc);
}
