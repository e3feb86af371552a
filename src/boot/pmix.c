/* SPDX-License-Identifier: BSD-3-Clause */
/* A client of the PMIx server that started the process: oshrun, mpirun, srun */
#include <errno.h>
#include <pmix.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "boot/impl.h"

#define ABORT_PATIENCE_S 3

struct pmix {
	struct boot base;
	pmix_proc_t me, job;
	int timeout_s;
};

/* This process's connection; pid 0: none yet. */
static struct {
	pmix_proc_t me;
	pid_t pid;
} pmix_client;

static int pmix_fail(const struct pmix *p, const char *what, pmix_status_t s)
{
	shmemi_log_error("boot: %s on PE %u of PMIx job %s: %s", what,
			 p->me.rank, p->me.nspace, PMIx_Error_string(s));
	return -EIO;
}

/*
 * -ENOENT if the server has no such key, or no number for it within INT_MAX.
 * Servers differ in the integer types that they give to the same key.
 */
static int pmix_get_int(const pmix_proc_t *who, const char *key, int *out)
{
	pmix_value_t *v = NULL;
	int64_t wide = -1;
	pmix_status_t s = PMIx_Get(who, key, NULL, 0, &v);

	if (s != PMIX_SUCCESS)
		return -ENOENT;
	PMIX_VALUE_GET_NUMBER(s, v, wide, int64_t);
	PMIX_VALUE_RELEASE(v);
	if (s != PMIX_SUCCESS || wide < 0 || wide > INT32_MAX)
		return -ENOENT;
	*out = (int)wide;
	return 0;
}

/* collect: the server hands out what the PEs have put. */
static int pmix_fence(const struct pmix *p, bool collect)
{
	pmix_info_t info[2];
	pmix_status_t s;

	PMIX_INFO_LOAD(&info[0], PMIX_TIMEOUT, &p->timeout_s, PMIX_INT);
	PMIX_INFO_LOAD(&info[1], PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
	s = PMIx_Fence(&p->job, 1, info, 2);
	if (s == PMIX_SUCCESS)
		return 0;
	if (s != PMIX_ERR_TIMEOUT)
		return pmix_fail(p, "PMIx_Fence", s);
	shmemi_log_error("boot: not all of %d PEs came within %d s",
			 p->base.info.n_pes, p->timeout_s);
	return -ETIMEDOUT;
}

static int pmix_publish(struct pmix *p, const char *key, const void *mine,
			size_t bytes)
{
	pmix_value_t v = { .type = PMIX_BYTE_OBJECT };
	pmix_status_t s;

	v.data.bo.bytes = (char *)mine;
	v.data.bo.size = bytes;
	s = PMIx_Put(PMIX_GLOBAL, key, &v);
	if (s != PMIX_SUCCESS)
		return pmix_fail(p, "PMIx_Put", s);
	s = PMIx_Commit();
	if (s != PMIX_SUCCESS)
		return pmix_fail(p, "PMIx_Commit", s);
	return pmix_fence(p, true);
}

static int pmix_fetch(struct pmix *p, int pe, const char *key, size_t bytes,
		      void *dst)
{
	pmix_value_t *v = NULL;
	pmix_proc_t who = p->job;
	pmix_status_t s;
	int rc = 0;

	who.rank = (pmix_rank_t)pe;
	s = PMIx_Get(&who, key, NULL, 0, &v);
	if (s != PMIX_SUCCESS)
		return pmix_fail(p, "PMIx_Get", s);
	if (v->type == PMIX_BYTE_OBJECT && v->data.bo.size == bytes) {
		memcpy(dst, v->data.bo.bytes, bytes);
	} else {
		shmemi_log_error("boot: PE %d brought a value of type %d, "
				 "PE %d expected %zu bytes",
				 pe, v->type, p->base.info.pe, bytes);
		rc = -EINVAL;
	}
	PMIX_VALUE_RELEASE(v);
	return rc;
}

static int pmix_barrier(struct boot *b)
{
	return pmix_fence((struct pmix *)b, false);
}

static int pmix_allgather(struct boot *b, const void *mine, size_t bytes,
			  void *all)
{
	/* Not per struct: the server keeps old values over a re-open. */
	static unsigned round;
	struct pmix *p = (struct pmix *)b;
	char key[32];
	int rc;

	if (!bytes)
		return pmix_barrier(b);
	snprintf(key, sizeof(key), "sirocco.%u", round++);
	rc = pmix_publish(p, key, mine, bytes);
	for (int pe = 0; !rc && pe < b->info.n_pes; pe++) {
		char *dst = (char *)all + (size_t)pe * bytes;

		if (pe == b->info.pe)
			memcpy(dst, mine, bytes);
		else
			rc = pmix_fetch(p, pe, key, bytes, dst);
	}
	return rc;
}

static void *pmix_abort_watchdog(void *status)
{
	sleep(ABORT_PATIENCE_S);
	_exit((int)(intptr_t)status);
}

/* Some servers never answer an abort: a thread ends the process then. */
static void pmix_abort(struct boot *b, int status, const char *msg)
{
	pthread_t watchdog;
	sigset_t all, old;

	(void)b;
	(void)msg; /* is printed already, and some servers would again */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	if (pthread_create(&watchdog, NULL, pmix_abort_watchdog,
			   (void *)(intptr_t)status))
		_exit(status);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (PMIx_Abort(status, "", NULL, 0) == PMIX_SUCCESS)
		pthread_join(watchdog, NULL);
}

static int pmix_close(struct boot *b)
{
	free(b);
	return 0;
}

static const struct boot_ops pmix_ops = {
	.allgather = pmix_allgather,
	.barrier = pmix_barrier,
	.abort = pmix_abort,
	.close = pmix_close,
};

static int pmix_describe(struct pmix *p)
{
	struct boot_info *info = &p->base.info;
	int n_pes, rc;

	if (pmix_get_int(&p->job, PMIX_JOB_SIZE, &n_pes)) {
		shmemi_log_error("boot: the PMIx server of job %s gives no "
				 "PMIX_JOB_SIZE",
				 p->me.nspace);
		return -EPROTO;
	}
	rc = boot_init(&p->base, &pmix_ops, "pmix", (int)p->me.rank, n_pes);
	if (rc)
		return rc;
	if (pmix_get_int(&p->me, PMIX_LOCAL_RANK, &info->local_rank) ||
	    pmix_get_int(&p->job, PMIX_LOCAL_SIZE, &info->n_local) ||
	    info->local_rank >= info->n_local)
		info->local_rank = info->n_local = 0;
	return 0;
}

/*
 * A destructor, because what the program does at its own exit may still need
 * the connection. A forked child that exits must not end its parent's.
 */
static __attribute__((destructor)) void pmix_disconnect(void)
{
	if (pmix_client.pid == getpid())
		PMIx_Finalize(NULL, 0);
}

/*
 * Once per process: when a PE has come back from PMIx_Finalize and the server
 * still sees another one leave, fences and gets of libpmix 4.2 fail.
 */
static int pmix_connect(void)
{
	pmix_status_t s;

	if (pmix_client.pid == getpid())
		return 0;
	s = PMIx_Init(&pmix_client.me, NULL, 0);
	if (s != PMIX_SUCCESS) {
		shmemi_log_error("boot: PMIx_Init in job %s: %s",
				 getenv("PMIX_NAMESPACE"),
				 PMIx_Error_string(s));
		return -ENOTCONN;
	}
	pmix_client.pid = getpid();
	return 0;
}

int boot_open_pmix(struct boot **out, int timeout_s)
{
	struct pmix *p;
	int rc;

	/* Every server sets it; asking libpmix instead costs milliseconds. */
	if (!getenv("PMIX_NAMESPACE"))
		return -ENOENT;
	rc = pmix_connect();
	if (rc)
		return rc;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->me = pmix_client.me;
	p->timeout_s = timeout_s;
	PMIX_LOAD_PROCID(&p->job, p->me.nspace, PMIX_RANK_WILDCARD);
	rc = pmix_describe(p);
	if (rc)
		free(p);
	else
		*out = &p->base;
	return rc;
}
