/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "boot/uid.h"

/* Holding lock: waits until every link has its data, or the job's error. */
static void uid_await(struct uid_boot *u)
{
	while (u->n_full < u->n_links && !u->error && !u->n_bye)
		pthread_cond_wait(&u->changed, &u->lock);
	for (int i = 0; u->n_full < u->n_links && i < u->n_links; i++)
		if (u->links[i].bye)
			uid_fail(u, -EPIPE,
				 "PE %d closed, the others are in "
				 "a collective",
				 u->links[i].pe);
}

static void link_consume(struct uid_boot *u, struct uid_link *l, void *dst)
{
	if (l->data_bytes)
		memcpy(dst, l->data, l->data_bytes);
	free(l->data);
	l->data = NULL;
	l->full = false;
	u->n_full--;
}

/* Holding lock. */
static int root_collect(struct uid_boot *u, const void *mine, size_t bytes,
			char *all)
{
	if (bytes)
		memcpy(all, mine, bytes);
	uid_await(u);
	for (int i = 0; !u->error && i < u->n_links; i++)
		if (u->links[i].data_bytes != bytes)
			uid_fail(u, -EINVAL,
				 "PE %d brought %zu bytes to a "
				 "collective, PE 0 brought %zu",
				 i + 1, u->links[i].data_bytes, bytes);
	for (int i = 0; !u->error && i < u->n_links; i++)
		link_consume(u, &u->links[i],
			     bytes ? all + (size_t)(i + 1) * bytes : NULL);
	return u->error;
}

/* A send that fails is not lost: the reader sees the same end of the link. */
static void uid_send_all(struct uid_boot *u, enum uid_type type,
			 const void *body, size_t bytes, int flags)
{
	pthread_mutex_lock(&u->send_lock);
	for (int i = 0; i < u->n_links; i++)
		uid_link_send(&u->links[i], type, 0, body, bytes, flags);
	pthread_mutex_unlock(&u->send_lock);
}

static int root_allgather(struct uid_boot *u, const void *mine, size_t bytes,
			  void *all)
{
	int rc;

	pthread_mutex_lock(&u->lock);
	rc = root_collect(u, mine, bytes, all);
	pthread_mutex_unlock(&u->lock);
	if (!rc)
		uid_send_all(u, UID_DATA, all,
			     bytes * (size_t)u->base.info.n_pes, 0);
	pthread_mutex_lock(&u->lock);
	/* The reader could not while this thread was sending. */
	uid_error_tell(u);
	if (rc)
		uid_error_report(u);
	pthread_mutex_unlock(&u->lock);
	return rc;
}

static int leaf_allgather(struct uid_boot *u, const void *mine, size_t bytes,
			  void *all)
{
	struct uid_link *l = &u->links[0];
	size_t all_bytes = bytes * (size_t)u->base.info.n_pes;
	int rc = 0;

	uid_send_all(u, UID_DATA, mine, bytes, 0);
	pthread_mutex_lock(&u->lock);
	uid_await(u);
	if (l->full && l->data_bytes != all_bytes)
		uid_fail(u, -EPROTO, "PE 0 sent %zu bytes, PE %d expected %zu",
			 l->data_bytes, u->base.info.pe, all_bytes);
	/* An error that came after the data is for the next collective. */
	if (l->full && l->data_bytes == all_bytes)
		link_consume(u, l, all);
	else
		rc = uid_error_report(u);
	pthread_mutex_unlock(&u->lock);
	return rc;
}

static int uid_allgather(struct boot *b, const void *mine, size_t bytes,
			 void *all)
{
	struct uid_boot *u = (struct uid_boot *)b;

	return b->info.pe ? leaf_allgather(u, mine, bytes, all)
			  : root_allgather(u, mine, bytes, all);
}

static int uid_barrier(struct boot *b)
{
	return uid_allgather(b, NULL, 0, NULL);
}

static void uid_abort(struct boot *b, int status, const char *msg)
{
	(void)msg;
	uid_reader_abort((struct uid_boot *)b, status);
}

static void uid_free(struct uid_boot *u)
{
	for (int i = 0; i < u->n_links; i++)
		uid_link_free(&u->links[i]);
	pthread_mutex_destroy(&u->send_lock);
	pthread_mutex_destroy(&u->lock);
	pthread_cond_destroy(&u->changed);
	free(u->links);
	free(u);
}

static int uid_close(struct boot *b)
{
	struct uid_boot *u = (struct uid_boot *)b;

	uid_send_all(u, UID_BYE, NULL, 0, MSG_DONTWAIT);
	uid_reader_stop(u);
	uid_free(u);
	return 0;
}

static const struct boot_ops uid_ops = {
	.allgather = uid_allgather,
	.barrier = uid_barrier,
	.abort = uid_abort,
	.close = uid_close,
};

static struct uid_boot *uid_alloc(int n_links)
{
	struct uid_boot *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->links = calloc(n_links ? (size_t)n_links : 1, sizeof(*u->links));
	if (!u->links) {
		free(u);
		return NULL;
	}
	u->n_links = n_links;
	for (int i = 0; i < n_links; i++)
		u->links[i].fd = -1;
	pthread_mutex_init(&u->send_lock, NULL);
	pthread_mutex_init(&u->lock, NULL);
	pthread_cond_init(&u->changed, NULL);
	return u;
}

static int uid_check(const struct uid *id, int timeout_s)
{
	if (id->magic != UID_MAGIC || id->version != UID_VERSION) {
		shmemi_log_error("boot: the unique id was not made by "
				 "boot_uid_make() of this version");
		return -EINVAL;
	}
	if (timeout_s < 0) {
		shmemi_log_error("boot: timeout of %d s, expected 0 or more",
				 timeout_s);
		return -EINVAL;
	}
	return 0;
}

static int uid_open(struct uid_boot *u, const struct uid *id, int timeout_s)
{
	int rc = u->base.info.pe ? uid_connect(u, id, timeout_s)
				 : uid_join(u, id, timeout_s);

	if (rc || !u->n_links)
		return rc;
	rc = uid_reader_start(u);
	if (rc)
		shmemi_log_error("boot: no thread for the sockets of PE %d: %s",
				 u->base.info.pe, strerror(-rc));
	return rc;
}

int boot_open_uid(struct boot **out, int pe, int n_pes, const void *uid,
		  int timeout_s)
{
	struct uid_boot *u;
	struct boot base;
	struct uid id;
	int rc;

	memcpy(&id, uid, sizeof(id));
	rc = boot_init(&base, &uid_ops, "uid", pe, n_pes);
	if (!rc)
		rc = uid_check(&id, timeout_s);
	if (rc)
		return rc;
	u = uid_alloc(pe ? 1 : n_pes - 1);
	if (!u)
		return -ENOMEM;
	u->base = base;
	rc = uid_open(u, &id, timeout_s);
	if (rc)
		uid_free(u);
	else
		*out = &u->base;
	return rc;
}
