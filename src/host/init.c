/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/copy.h"
#include "base/log.h"
#include "boot/boot.h"
#include "conduits/gda/gda.h"
#include "host/buffer.h"
#include "host/check.h"
#include "host/coll.h"
#include "gpu/gpu.h"
#include "host/ctx.h"
#include "host/data.h"
#include "host/device.h"
#include "host/far.h"
#include "host/heap.h"
#include "host/turn.h"
#include "host/world.h"

#pragma GCC visibility push(default)
#include <shmem/attr.h>
#pragma GCC visibility pop

struct shmemi shmemi = { .guard = SHMEMI_GUARD_DOWN };

static struct {
	pthread_mutex_t lock;
	struct boot *boot; /* kept from the first init to the end of the PE */
	int depth;	   /* inits without their finalize */
	int thread_level;
	int watching; /* for exit and fork */
} init = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* A child is no PE: it neither finalizes at its exit nor aborts the job. */
static void in_child(void)
{
	if (shmemi.guard & SHMEMI_GUARD_DOWN)
		return;
	shmemi.guard |= SHMEMI_GUARD_DOWN | SHMEMI_GUARD_CHILD;
	init.depth = 0;
}

typedef int (*boot_opener)(struct boot **boot, const void *arg);

static _Noreturn void init_abort(int code)
{
	if (init.boot && !(shmemi.guard & SHMEMI_GUARD_CHILD)) {
		shmemi_turn_tell_end();
		boot_abort(init.boot, code, NULL);
	}
	_exit(code);
}

static void print_banner(void)
{
	if (shmemi.me)
		return;
	if (shmemi.env.version)
		printf("%s, OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING,
		       SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
	if (shmemi.env.info)
		shmemi_env_print(stdout);
	fflush(stdout);
}

/*
 * A program of OpenSHMEM 1.0 may return from main without finalizing; one
 * that exits with an error must not wait for peers that don't know of it.
 */
static void at_exit(int status, void *arg)
{
	(void)arg;
	if (!status && !(shmemi.guard & SHMEMI_GUARD_DOWN)) {
		init.depth = 1;
		pshmem_finalize();
	}
	if (!status && init.boot && !(shmemi.guard & SHMEMI_GUARD_CHILD))
		boot_close(init.boot);
}

static void set_guard(void)
{
	if (shmemi.env.nt_threshold_bytes != SHMEMI_ENV_SIZE_AUTO)
		shmemi_copy_nt_bytes = shmemi.env.nt_threshold_bytes;
	shmemi.guard = 0;
	if (shmemi.env.check)
		shmemi.guard |= SHMEMI_GUARD_CHECK;
	if (shmemi.env.debug)
		shmemi.guard |= SHMEMI_GUARD_TRACE;
	if (!shmemg_device.host_access)
		shmemi.guard |= SHMEMI_GUARD_DEVICE;
}

/* Static data moves before the bootstrap's threads could touch it. */
static int open_boot(boot_opener open, const void *arg)
{
	const struct boot_info *info;
	struct conduit_region data;
	int rc;

	if (init.boot)
		return 0;
	rc = conduit_register_all();
	if (!rc)
		rc = shmemi_data_share(shmemi.env.static_data, &data);
	if (!rc)
		rc = open(&init.boot, arg);
	if (rc == -ENOMEM)
		shmemi_log_error("out of memory at start-up");
	if (rc)
		return rc;
	info = boot_info(init.boot);
	shmemi_log_set_pe(info->pe);
	shmemi_trace(BOOT, "PE %d of %d on %s, by %s", info->pe, info->n_pes,
		     info->host, info->kind);
	return 0;
}

/* What users and kernels know by numbers. */
static int open_handles(void)
{
	int rc = shmemi_turn_open();

	/* Both take of the sync segment before teams make it differ by PE. */
	if (!rc && shmemi.gda)
		rc = gda_open();
	if (!rc)
		rc = shmemi_teams_open();
	if (rc)
		return rc;
	rc = gda_show();
	if (!rc)
		rc = shmemi_ctxs_open();
	if (rc)
		goto close_teams;
	rc = shmemi_device_publish();
	if (rc)
		goto close_ctxs;
	return 0;

close_ctxs:
	shmemi_ctxs_close();
close_teams:
	shmemi_teams_close();
	return rc;
}

static int open_all(boot_opener open, const void *arg)
{
	int rc = shmemi_env_parse(&shmemi.env);

	shmemi_trace_mask = shmemi.env.debug;
	if (!rc)
		rc = open_boot(open, arg);
	if (!rc)
		rc = shmemi_platform_open(boot_info(init.boot));
	if (!rc)
		rc = shmemi_world_open(init.boot);
	if (rc)
		return rc;
	rc = shmemi_heap_open();
	if (rc)
		goto close_world;
	rc = shmemi_device_open();
	if (rc)
		goto close_heap;
	rc = open_handles();
	if (rc)
		goto close_device;
	return 0;

close_device:
	shmemi_device_forget();
close_heap:
	shmemi_heap_close();
close_world:
	shmemi_world_close();
	return rc;
}

static int start(boot_opener open, const void *arg)
{
	int rc = open_all(open, arg);

	if (rc) {
		/* Peers that got further must not wait for this one. */
		if (init.boot && boot_info(init.boot)->n_pes > 1)
			boot_abort(init.boot, 1, NULL);
		return rc;
	}
	shmemi_abort_hook = init_abort;
	if (!init.watching)
		init.watching = !on_exit(at_exit, NULL) &&
				!pthread_atfork(NULL, NULL, in_child);
	set_guard();
	/* Nobody leaves, or closes what peers map, before all have mapped. */
	coll_sync(&shmemi_team_world);
	print_banner();
	shmemi_trace(INIT, "initialised, heap of %zu bytes, static data of %zu",
		     shmemi.segment[CONDUIT_HEAP].bytes,
		     shmemi.segment[CONDUIT_DATA].bytes);
	return 0;
}

static int enter(int requested, int *provided, boot_opener open,
		 const void *arg)
{
	int rc = 0;

	if (shmemi.guard & SHMEMI_GUARD_CHILD)
		shmemi_check_up("shmem_init");
	if (requested < SHMEM_THREAD_SINGLE ||
	    requested > SHMEM_THREAD_MULTIPLE) {
		shmemi_log_error("shmem_init_thread: requested is %d, expected "
				 "one of SHMEM_THREAD_*",
				 requested);
		return -EINVAL;
	}
	pthread_mutex_lock(&init.lock);
	if (!init.depth) {
		rc = start(open, arg);
		init.thread_level = requested;
	} else if (requested > init.thread_level) {
		init.thread_level = requested;
	}
	if (!rc) {
		init.depth++;
		if (provided)
			*provided = init.thread_level;
	}
	pthread_mutex_unlock(&init.lock);
	return rc;
}

static int open_launcher(struct boot **boot, const void *arg)
{
	(void)arg;
	return boot_open(boot, shmemi.env.timeout_s);
}

int pshmem_init_thread(int requested, int *provided)
{
	return enter(requested, provided, open_launcher, NULL);
}
weak_alias(pshmem_init_thread, shmem_init_thread);

void pshmem_init(void)
{
	if (enter(SHMEM_THREAD_SINGLE, NULL, open_launcher, NULL))
		init_abort(1);
}
weak_alias(pshmem_init, shmem_init);

static int open_attr(struct boot **boot, const void *arg)
{
	const shmemx_init_attr_t *attr = arg;
	const struct boot_user user = {
		.allgather = attr->allgather,
		.barrier = attr->barrier,
		.abort = attr->abort,
		.arg = attr->arg,
	};

	if (attr->kind == SHMEMX_INIT_LAUNCHER)
		return boot_open(boot, shmemi.env.timeout_s);
	if (attr->kind == SHMEMX_INIT_FUNCTIONS)
		return boot_open_user(boot, attr->pe, attr->n_pes, &user);
	return boot_open_uid(boot, attr->pe, attr->n_pes, attr->uniqueid,
			     shmemi.env.timeout_s);
}

static const char *attr_error(const shmemx_init_attr_t *attr)
{
	if (attr->size_bytes != sizeof(*attr))
		return "size_bytes is not sizeof(shmemx_init_attr_t)";
	if (attr->kind == SHMEMX_INIT_LAUNCHER)
		return NULL;
	if (attr->kind != SHMEMX_INIT_UNIQUEID &&
	    attr->kind != SHMEMX_INIT_FUNCTIONS)
		return "kind is none of SHMEMX_INIT_*";
	if (attr->n_pes < 1 || attr->pe < 0 || attr->pe >= attr->n_pes)
		return "pe is not within 0 to n_pes - 1";
	if (attr->kind == SHMEMX_INIT_UNIQUEID && !attr->uniqueid)
		return "uniqueid is NULL";
	if (attr->kind == SHMEMX_INIT_FUNCTIONS &&
	    (!attr->allgather || !attr->barrier))
		return "allgather or barrier is NULL";
	return NULL;
}

int shmemx_init_attr(int requested, int *provided,
		     const shmemx_init_attr_t *attr)
{
	const char *error = attr ? attr_error(attr) : "attr is NULL";

	if (error) {
		shmemi_log_error("shmemx_init_attr: %s", error);
		return -EINVAL;
	}
	return enter(requested, provided, open_attr, attr);
}

int shmemx_get_uniqueid(shmemx_uniqueid_t *uniqueid)
{
	_Static_assert(SHMEMX_UNIQUEID_BYTES == BOOT_UID_BYTES, "unique id");
	return boot_uid_make(uniqueid, sizeof(*uniqueid));
}

void pshmem_query_thread(int *provided)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	*provided = init.thread_level;
}
weak_alias(pshmem_query_thread, shmem_query_thread);

void pshmem_query_initialized(int *initialized)
{
	*initialized = !(shmemi.guard & SHMEMI_GUARD_DOWN);
}
weak_alias(pshmem_query_initialized, shmem_query_initialized);

/*
 * Nodes' last messages, the barrier's own, must arrive before anybody closes
 * what they arrive at. Without a thread of progress closing has to see to it,
 * as nobody answers while all wait for the launcher.
 */
static void part(void)
{
	if (!shmemi.net || shmemi.env.progress != SHMEMI_BY_THREAD)
		return;
	shmemi_far_quiet("shmem_finalize", &shmemi_own_ctx, -1);
	gda_part();
	(void)boot_barrier(init.boot);
}

void pshmem_finalize(void)
{
	pthread_mutex_lock(&init.lock);
	/* What streams hold for peers is done before any of these unmaps. */
	if (init.depth == 1 && shmemg) {
		(void)shmemg->streams_sync();
		shmemi_device_error_check();
	}
	if (init.depth) {
		shmemi_ctxs_quiet();
		pshmem_barrier_all();
	}
	if (init.depth == 1)
		part();
	if (init.depth && !--init.depth) {
		shmemi_trace(INIT, "finalized");
		shmemi.guard |= SHMEMI_GUARD_DOWN;
		shmemi_buffers_close();
		shmemi_turn_close();
		shmemi_teams_close();
		shmemi_ctxs_close();
		shmemi_device_forget();
		shmemi_heap_close();
		shmemi_world_close();
	}
	pthread_mutex_unlock(&init.lock);
}
weak_alias(pshmem_finalize, shmem_finalize);

void pshmem_global_exit(int status)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	fflush(NULL);
	shmemi_turn_tell_end();
	boot_abort(init.boot, status, NULL);
}
weak_alias(pshmem_global_exit, shmem_global_exit);
