/* SPDX-License-Identifier: BSD-3-Clause */
#include "boot/pmix_client.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

static struct {
	pmix_proc_t me;
	pid_t pid; /* 0: no connection */
	char host[256];
	int lost, leaving;
} client;

const pmix_proc_t *pmix_client_me(void)
{
	return &client.me;
}

const char *pmix_client_host(void)
{
	return client.host;
}

bool pmix_client_lost(void)
{
	return __atomic_load_n(&client.lost, __ATOMIC_ACQUIRE);
}

pmix_status_t pmix_client_get(const pmix_proc_t *who, const char *key,
			      pmix_value_t **v)
{
	bool immediate = true;
	pmix_info_t info;

	PMIX_INFO_LOAD(&info, PMIX_IMMEDIATE, &immediate, PMIX_BOOL);
	return PMIx_Get(who, key, &info, 1, v);
}

static pmix_value_t *get(const pmix_proc_t *who, const char *key)
{
	pmix_value_t *v = NULL;

	return pmix_client_get(who, key, &v) == PMIX_SUCCESS ? v : NULL;
}

int pmix_client_get_int(const pmix_proc_t *who, const char *key, int *out)
{
	pmix_value_t *v = get(who, key);
	pmix_status_t s;
	int64_t wide = -1;

	if (!v)
		return -ENOENT;
	PMIX_VALUE_GET_NUMBER(s, v, wide, int64_t);
	PMIX_VALUE_RELEASE(v);
	if (s != PMIX_SUCCESS || wide < 0 || wide > INT32_MAX)
		return -ENOENT;
	*out = (int)wide;
	return 0;
}

char *pmix_client_get_text(const pmix_proc_t *who, const char *key)
{
	pmix_value_t *v = get(who, key);
	char *text = NULL;

	if (!v)
		return NULL;
	if (v->type == PMIX_STRING && v->data.string)
		text = strdup(v->data.string);
	PMIX_VALUE_RELEASE(v);
	return text;
}

/* What reads our messages may be gone as well: that must not end us first. */
static void survive_pipes(void)
{
	sigset_t pipe;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, NULL);
}

/* On libpmix's thread, which therefore must not wait for the server. */
static void on_lost(size_t id, pmix_status_t status, const pmix_proc_t *source,
		    pmix_info_t info[], size_t ninfo, pmix_info_t results[],
		    size_t nresults, pmix_event_notification_cbfunc_fn_t done,
		    void *arg)
{
	(void)id;
	(void)info;
	(void)ninfo;
	(void)results;
	(void)nresults;
	if (done)
		done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, arg);
	/* A peer that goes is the launcher's business. */
	if (source && !strcmp(source->nspace, client.me.nspace))
		return;
	if (__atomic_load_n(&client.leaving, __ATOMIC_ACQUIRE) ||
	    __atomic_exchange_n(&client.lost, 1, __ATOMIC_ACQ_REL))
		return;
	survive_pipes();
	shmemi_fatal("boot: PE %u on %s ends: its PMIx server, a daemon of the "
		     "launcher, is gone (%s)",
		     client.me.rank, client.host, PMIx_Error_string(status));
}

/* libpmix calls it without asking whether it is there. */
static void on_registered(pmix_status_t status, size_t id, void *arg)
{
	(void)status;
	(void)id;
	(void)arg;
}

static void watch_server(void)
{
	pmix_status_t code = PMIX_ERR_LOST_CONNECTION;

	PMIx_Register_event_handler(&code, 1, NULL, 0, on_lost, on_registered,
				    NULL);
}

static void learn_host(void)
{
	char *name = pmix_client_get_text(&client.me, PMIX_HOSTNAME);

	if (name && *name) {
		size_t bytes = strnlen(name, sizeof(client.host) - 1);

		memcpy(client.host, name, bytes);
		client.host[bytes] = '\0';
	}
	free(name);
}

/*
 * A destructor, because what the program does at its own exit may still need
 * the connection. A forked child that exits must not end its parent's.
 */
static __attribute__((destructor)) void disconnect(void)
{
	if (client.pid != getpid() || pmix_client_lost())
		return;
	__atomic_store_n(&client.leaving, 1, __ATOMIC_RELEASE);
	PMIx_Finalize(NULL, 0);
}

/*
 * Never again: when a PE has come back from PMIx_Finalize and the server still
 * sees another one leave, fences and gets of libpmix 4.2 fail.
 */
int pmix_client_connect(void)
{
	/* Every server sets it; asking libpmix instead costs milliseconds. */
	const char *job = getenv("PMIX_NAMESPACE");
	const char *rank = getenv("PMIX_RANK");
	pmix_status_t s;

	if (!job)
		return -ENOENT;
	if (client.pid == getpid())
		return 0;
	gethostname(client.host, sizeof(client.host) - 1);
	s = PMIx_Init(&client.me, NULL, 0);
	if (s != PMIX_SUCCESS) {
		shmemi_log_error("boot: PE %s on %s can't reach the PMIx "
				 "server of job %s: %s",
				 rank ? rank : "?", client.host, job,
				 PMIx_Error_string(s));
		return -ENOTCONN;
	}
	client.pid = getpid();
	learn_host();
	watch_server();
	return 0;
}
