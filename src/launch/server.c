/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/server.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <pmix.h>
#include <pmix_server.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/job.h"
#include "launch/message.h"
#include "launch/register.h"

/* One write of at most PIPE_BUF bytes: never torn, never interleaved. */
struct mail {
	pmix_rank_t rank;
	int status;
	char why[256];
};

static int mail_fd[2] = { -1, -1 };

/* Per PE: joined, and did not leave yet. Written by the library's thread. */
static char *member;
static unsigned nmembers;

static void member_set(pmix_rank_t rank, char is)
{
	if (rank < nmembers)
		__atomic_store_n(&member[rank], is, __ATOMIC_RELEASE);
}

bool server_has(unsigned rank)
{
	return __atomic_load_n(&member[rank], __ATOMIC_ACQUIRE);
}

static pmix_status_t on_connected(const pmix_proc_t *proc, void *object,
				  pmix_info_t info[], size_t ninfo,
				  pmix_op_cbfunc_t done, void *data)
{
	(void)object;
	(void)info;
	(void)ninfo;
	(void)done;
	(void)data;
	member_set(proc->rank, 1);
	return PMIX_OPERATION_SUCCEEDED;
}

static pmix_status_t on_finalized(const pmix_proc_t *proc, void *object,
				  pmix_op_cbfunc_t done, void *data)
{
	member_set(proc->rank, 0);
	(void)object;
	(void)done;
	(void)data;
	return PMIX_OPERATION_SUCCEEDED;
}

/*
 * The reply comes after the mail, so that the mail is there before the PE
 * can exit.
 */
static pmix_status_t on_abort(const pmix_proc_t *proc, void *object, int status,
			      const char msg[], pmix_proc_t procs[],
			      size_t nprocs, pmix_op_cbfunc_t done, void *data)
{
	struct mail mail = { .rank = proc->rank, .status = status };

	(void)object;
	(void)procs;
	(void)nprocs;
	(void)done;
	(void)data;
	if (msg)
		snprintf(mail.why, sizeof(mail.why), "%s", msg);
	if (write(mail_fd[1], &mail, sizeof(mail)) != sizeof(mail))
		return PMIX_ERROR;
	return PMIX_OPERATION_SUCCEEDED;
}

/* All participants are on this node: what they brought is the result. */
static pmix_status_t on_fence(const pmix_proc_t procs[], size_t nprocs,
			      const pmix_info_t info[], size_t ninfo,
			      char *bytes, size_t nbytes,
			      pmix_modex_cbfunc_t done, void *data)
{
	(void)procs;
	(void)nprocs;
	(void)info;
	(void)ninfo;
	done(PMIX_SUCCESS, bytes, nbytes, data, NULL, NULL);
	return PMIX_SUCCESS;
}

static pmix_server_module_t module = {
	.client_connected2 = on_connected,
	.client_finalized = on_finalized,
	.abort = on_abort,
	.fence_nb = on_fence,
};

void server_poll(struct job *job)
{
	struct mail mail;

	while (read(mail_fd[0], &mail, sizeof(mail)) == sizeof(mail))
		if (mail.rank < job->npes)
			job_abort(job, mail.rank, mail.status, mail.why);
}

static void on_mail(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	server_poll(arg);
}

static int mail_start(struct job *job)
{
	struct event *ev;

	if (pipe2(mail_fd, O_CLOEXEC))
		return -errno;
	fcntl(mail_fd[0], F_SETFL, O_NONBLOCK);
	ev = event_new(job->base, mail_fd[0], EV_READ | EV_PERSIST, on_mail,
		       job);
	return ev && !event_add(ev, NULL) ? 0 : -ENOMEM;
}

static int server_fail(const char *what, pmix_status_t rc)
{
	oshrun_say("PMIx server: %s: %s", what, PMIx_Error_string(rc));
	return -1;
}

static pmix_status_t library_start(struct job *job)
{
	pmix_info_t info[4];
	char *dir = job->guarded->session;
	char loopback[] = "127.0.0.0/8";
	pmix_status_t rc;

	PMIX_INFO_LOAD(&info[0], PMIX_SERVER_TMPDIR, dir, PMIX_STRING);
	PMIX_INFO_LOAD(&info[1], PMIX_SYSTEM_TMPDIR, dir, PMIX_STRING);
	PMIX_INFO_LOAD(&info[2], PMIX_HOSTNAME, job->host, PMIX_STRING);
	PMIX_INFO_LOAD(&info[3], PMIX_TCP_IF_INCLUDE, loopback, PMIX_STRING);
	rc = PMIx_server_init(&module, info, 4);
	for (size_t i = 0; i < 4; i++)
		PMIX_INFO_DESTRUCT(&info[i]);
	return rc;
}

int server_start(struct job *job)
{
	pmix_status_t rc;
	int err;

	nmembers = job->npes;
	member = calloc(nmembers, 1);
	err = member ? mail_start(job) : -ENOMEM;
	if (err) {
		oshrun_say("PMIx server: %s", strerror(-err));
		return -1;
	}
	rc = library_start(job);
	if (rc != PMIX_SUCCESS)
		return server_fail("start", rc);
	rc = register_job(job);
	if (rc != PMIX_SUCCESS)
		return server_fail("register the job", rc);
	return 0;
}

char **server_make_env(const struct job *job, unsigned rank)
{
	size_t n = 0;
	char **env;
	pmix_proc_t proc;

	while (environ[n])
		n++;
	env = calloc(n + 1, sizeof(*env));
	if (!env)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (!(env[i] = strdup(environ[i])))
			goto free_env;
	PMIX_LOAD_PROCID(&proc, job->nspace, rank);
	if (PMIx_server_setup_fork(&proc, &env) != PMIX_SUCCESS)
		goto free_env;
	return env;
free_env:
	server_free_env(env);
	return NULL;
}

void server_free_env(char **env)
{
	for (size_t i = 0; env[i]; i++)
		free(env[i]);
	free(env);
}
