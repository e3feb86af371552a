/* SPDX-License-Identifier: BSD-3-Clause */
/* A client of the PMIx server that started the process: oshrun, mpirun, srun */
#include <errno.h>
#include <pmix.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "boot/impl.h"
#include "boot/pmix_client.h"

#define ABORT_PATIENCE_S 3
/* The server's own answer, which comes first, says more than ours. */
#define SERVER_PATIENCE_S 2

struct pmix {
	struct boot base;
	pmix_proc_t me, job;
	int timeout_s;
};

/* The request under way. Static: its answer may come after the wait for it. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t ended;
	uintptr_t number;
	pmix_status_t status;
	bool done;
	void *dst; /* of a get */
	size_t bytes;
} request = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int pmix_fail(const struct pmix *p, const char *what, pmix_status_t s)
{
	shmemi_log_error("boot: PE %u on %s, job %s: %s: %s", p->me.rank,
			 p->base.info.host, p->me.nspace, what,
			 s == PMIX_ERR_PARTIAL_SUCCESS ?
				 "a PE has left the job" :
				 PMIx_Error_string(s));
	return -EIO;
}

static void request_end(pmix_status_t status, void *number)
{
	pthread_mutex_lock(&request.lock);
	if ((uintptr_t)number == request.number) {
		request.status = status;
		request.done = true;
		pthread_cond_signal(&request.ended);
	}
	pthread_mutex_unlock(&request.lock);
}

static pmix_status_t take(const pmix_value_t *v, void *dst, size_t bytes)
{
	if (v->type != PMIX_BYTE_OBJECT || v->data.bo.size != bytes)
		return PMIX_ERR_TYPE_MISMATCH;
	memcpy(dst, v->data.bo.bytes, bytes);
	return PMIX_SUCCESS;
}

static void get_end(pmix_status_t status, pmix_value_t *v, void *number)
{
	pthread_mutex_lock(&request.lock);
	if ((uintptr_t)number == request.number && status == PMIX_SUCCESS)
		status = take(v, request.dst, request.bytes);
	pthread_mutex_unlock(&request.lock);
	request_end(status, number);
}

/* PMIX_ERR_TIMEOUT after timeout_s and some patience; 0: no limit. */
static pmix_status_t request_wait(int timeout_s)
{
	struct timespec until;
	pmix_status_t s = PMIX_ERR_TIMEOUT;
	int rc = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += timeout_s + SERVER_PATIENCE_S;
	pthread_mutex_lock(&request.lock);
	while (!request.done && !rc)
		rc = timeout_s ?
			     pthread_cond_timedwait(&request.ended,
						    &request.lock, &until) :
			     pthread_cond_wait(&request.ended, &request.lock);
	if (request.done)
		s = request.status;
	request.number++;
	pthread_mutex_unlock(&request.lock);
	return s;
}

static void *request_begin(void *dst, size_t bytes)
{
	pthread_condattr_t attr;

	if (!request.number) {
		pthread_condattr_init(&attr);
		pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
		pthread_cond_init(&request.ended, &attr);
		pthread_condattr_destroy(&attr);
	}
	pthread_mutex_lock(&request.lock);
	request.done = false;
	request.dst = dst;
	request.bytes = bytes;
	request.number++;
	pthread_mutex_unlock(&request.lock);
	return (void *)request.number;
}

/* Slurm's server does not wait for other nodes in a fence without data. */
static bool needs_data(const struct pmix *p)
{
	return !strncmp(p->me.nspace, "slurm.", 6);
}

/*
 * collect: the servers hand out what the PEs have put. Servers that time out
 * count from the first of their own PEs, and not all do: hence a limit of our
 * own as well.
 */
static pmix_status_t fence_all(struct pmix *p, bool collect)
{
	pmix_info_t info[2];
	void *number = request_begin(NULL, 0);
	pmix_status_t s;

	collect |= needs_data(p);
	PMIX_INFO_LOAD(&info[0], PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
	PMIX_INFO_LOAD(&info[1], PMIX_TIMEOUT, &p->timeout_s, PMIX_INT);
	s = PMIx_Fence_nb(&p->job, 1, info, p->timeout_s ? 2 : 1, request_end,
			  number);
	if (s == PMIX_OPERATION_SUCCEEDED)
		return PMIX_SUCCESS;
	return s == PMIX_SUCCESS ? request_wait(p->timeout_s) : s;
}

/* " (of this node not PE 3, PE 5)": who has not put key, if there is one. */
static void list_missing(const struct pmix *p, const char *key, char *text,
			 size_t room)
{
	char *peers = pmix_client_get_text(&p->job, PMIX_LOCAL_PEERS);
	char *save = NULL, *word = peers ? strtok_r(peers, ",", &save) : NULL;
	size_t used = 0;

	for (; word && used < room; word = strtok_r(NULL, ",", &save)) {
		pmix_value_t *v = NULL;
		pmix_proc_t who = p->job;

		who.rank = (pmix_rank_t)atoi(word);
		if (pmix_client_get(&who, key, &v) != PMIX_SUCCESS)
			used += (size_t)snprintf(
				text + used, room - used, "%s PE %u",
				used ? "," : " (of this node not", who.rank);
		else
			PMIX_VALUE_RELEASE(v);
	}
	if (used && used + 1 < room)
		strcpy(text + used, ")");
	free(peers);
}

/* Hands out what all PEs have put under key; NULL: a barrier. */
static int pmix_fence(struct pmix *p, const char *key)
{
	pmix_status_t s = fence_all(p, key != NULL);
	char missing[200] = "";

	if (s == PMIX_SUCCESS)
		return 0;
	if (s != PMIX_ERR_TIMEOUT)
		return pmix_fail(p, "PMIx_Fence", s);
	if (key)
		list_missing(p, key, missing, sizeof(missing));
	shmemi_log_error("boot: PE %u on %s: not all of %d PEs came within "
			 "%d s%s",
			 p->me.rank, p->base.info.host, p->base.info.n_pes,
			 p->timeout_s, missing);
	return -ETIMEDOUT;
}

/*
 * Every round has a key of its own, and a fence carries what all rounds have
 * put: libpmix 4.2 can lose other values when one is put again.
 */
static int pmix_publish(struct pmix *p, const char *key, const void *mine,
			size_t bytes)
{
	pmix_value_t v = { .type = PMIX_BYTE_OBJECT };
	pmix_status_t s;

	v.data.bo.bytes = (char *)mine;
	v.data.bo.size = bytes;
	s = PMIx_Put(PMIX_GLOBAL, key, &v);
	if (s == PMIX_SUCCESS)
		s = PMIx_Commit();
	if (s != PMIX_SUCCESS)
		return pmix_fail(p, "PMIx_Put", s);
	return pmix_fence(p, key);
}

/*
 * A fence brings all to our server; but PRRTE 3's has to ask others, and loses
 * one or the other question when the answers are megabytes.
 */
static pmix_status_t pmix_get(const struct pmix *p, const pmix_proc_t *who,
			      const char *key, size_t bytes, void *dst)
{
	pmix_value_t *v = NULL;
	pmix_status_t s = pmix_client_get(who, key, &v);

	if (s == PMIX_SUCCESS) {
		s = take(v, dst, bytes);
		PMIX_VALUE_RELEASE(v);
	}
	if (s != PMIX_ERR_NOT_FOUND)
		return s;
	s = PMIx_Get_nb(who, key, NULL, 0, get_end, request_begin(dst, bytes));
	return s == PMIX_SUCCESS ? request_wait(p->timeout_s) : s;
}

static int pmix_fetch(struct pmix *p, int pe, const char *key, size_t bytes,
		      void *dst)
{
	pmix_proc_t who = p->job;
	pmix_status_t s;

	who.rank = (pmix_rank_t)pe;
	s = pmix_get(p, &who, key, bytes, dst);
	if (s == PMIX_SUCCESS)
		return 0;
	if (s == PMIX_ERR_TYPE_MISMATCH) {
		shmemi_log_error("boot: PE %d did not bring the %zu bytes that "
				 "PE %u on %s expected: is its library "
				 "another one?",
				 pe, bytes, p->me.rank, p->base.info.host);
		return -EINVAL;
	}
	shmemi_log_error("boot: PE %u on %s got nothing from PE %d, which may "
			 "have left the job: PMIx_Get: %s",
			 p->me.rank, p->base.info.host, pe,
			 PMIx_Error_string(s));
	return s == PMIX_ERR_TIMEOUT ? -ETIMEDOUT : -EIO;
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
		return pmix_fence(p, NULL);
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

static int pmix_barrier(struct boot *b)
{
	return pmix_fence((struct pmix *)b, NULL);
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
	if (pmix_client_lost())
		return;
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

/* By the list of this node's PEs, which need not be in order. */
static void count_peers(struct boot_info *info, char *peers)
{
	char *save = NULL, *word = strtok_r(peers, ",", &save);

	for (; word; word = strtok_r(NULL, ",", &save)) {
		info->n_local++;
		info->local_rank += atoi(word) < info->pe;
	}
}

static void pmix_find_peers(struct pmix *p)
{
	struct boot_info *info = &p->base.info;
	char *peers = pmix_client_get_text(&p->job, PMIX_LOCAL_PEERS);

	if (peers)
		count_peers(info, peers);
	free(peers);
	if (info->n_local)
		return;
	if (pmix_client_get_int(&p->me, PMIX_LOCAL_RANK, &info->local_rank) ||
	    pmix_client_get_int(&p->job, PMIX_LOCAL_SIZE, &info->n_local) ||
	    info->local_rank >= info->n_local)
		info->local_rank = info->n_local = 0;
}

/* The universe may be larger: it has all slots of the allocation. */
static int pmix_describe(struct pmix *p)
{
	struct boot_info *info = &p->base.info;
	int n_pes, rc;

	if (pmix_client_get_int(&p->job, PMIX_JOB_SIZE, &n_pes)) {
		shmemi_log_error("boot: the PMIx server of job %s gives no "
				 "PMIX_JOB_SIZE",
				 p->me.nspace);
		return -EPROTO;
	}
	rc = boot_init(&p->base, &pmix_ops, "pmix", (int)p->me.rank, n_pes);
	if (rc)
		return rc;
	snprintf(info->host, sizeof(info->host), "%s", pmix_client_host());
	pmix_find_peers(p);
	return 0;
}

int boot_open_pmix(struct boot **out, int timeout_s)
{
	struct pmix *p;
	int rc = pmix_client_connect();

	if (rc)
		return rc;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->me = *pmix_client_me();
	p->timeout_s = timeout_s;
	PMIX_LOAD_PROCID(&p->job, p->me.nspace, PMIX_RANK_WILDCARD);
	rc = pmix_describe(p);
	if (rc)
		free(p);
	else
		*out = &p->base;
	return rc;
}
