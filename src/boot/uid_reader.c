/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/thread.h"
#include "boot/uid.h"

#define ABORT_SEND_S 2

void uid_fail(struct uid_boot *u, int error, const char *fmt, ...)
{
	va_list args;

	if (u->error)
		return;
	u->error = error;
	va_start(args, fmt);
	vsnprintf(u->why, sizeof(u->why), fmt, args);
	va_end(args);
	pthread_cond_broadcast(&u->changed);
}

void uid_error_tell(struct uid_boot *u)
{
	if (u->base.info.pe || !u->error || u->error_told ||
	    pthread_mutex_trylock(&u->send_lock))
		return;
	for (int i = 0; i < u->n_links; i++)
		if (u->links[i].fd >= 0)
			uid_link_send(&u->links[i], UID_ERROR,
				      (uint32_t)-u->error, u->why,
				      strlen(u->why), MSG_DONTWAIT);
	u->error_told = true;
	pthread_mutex_unlock(&u->send_lock);
}

int uid_error_report(struct uid_boot *u)
{
	if (u->error && !u->error_logged) {
		u->error_logged = true;
		shmemi_log_error("boot: %s", u->why);
	}
	return u->error;
}

static _Noreturn void reader_abort(struct uid_boot *u, int status)
{
	struct timespec until;

	/* A collective that is stuck in sending must not keep us here. */
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += ABORT_SEND_S;
	if (!pthread_mutex_timedlock(&u->send_lock, &until))
		for (int i = 0; i < u->n_links; i++)
			uid_link_send(&u->links[i], UID_ABORT, (uint32_t)status,
				      NULL, 0, MSG_DONTWAIT);
	/* A close with unread data would be a reset, which may overtake it. */
	uid_links_drain(u->links, u->n_links);
	_exit(status);
}

static const char *link_verdict(int error)
{
	if (error == -EPROTO)
		return "sent a bad frame";
	return error == -ENOMEM ? "can't be read" : "has died";
}

static void link_lost(struct uid_boot *u, struct uid_link *l, int error)
{
	bool alive = error == -ENOMEM || error == -EPROTO;

	if (!l->bye)
		uid_fail(u, alive ? error : -ECONNRESET, "PE %d at %s %s: %s",
			 l->pe, l->where, link_verdict(error),
			 strerror(-error));
	/* Not closed: another thread may be sending on it. */
	shutdown(l->fd, SHUT_RDWR);
	l->gone = true;
}

static void link_data(struct uid_boot *u, struct uid_link *l)
{
	l->full = true;
	l->data = l->body;
	l->data_bytes = l->head.bytes;
	l->body = NULL;
	u->n_full++;
	pthread_cond_broadcast(&u->changed);
}

static int link_frame(struct uid_boot *u, struct uid_link *l)
{
	int rc = 0;

	if (l->head.type == UID_DATA && !l->full) {
		link_data(u, l);
	} else if (l->head.type == UID_BYE) {
		l->bye = true;
		u->n_bye++;
		pthread_cond_broadcast(&u->changed);
	} else if (l->head.type == UID_ERROR) {
		uid_fail(u, -(int)l->head.arg, "%s", l->body);
	} else if (l->head.type == UID_ABORT) {
		if (u->base.info.pe)
			_exit((int)l->head.arg);
		reader_abort(u, (int)l->head.arg);
	} else {
		rc = -EPROTO;
	}
	uid_link_next(l);
	return rc;
}

static void link_event(struct uid_boot *u, struct uid_link *l)
{
	int rc;

	do {
		rc = uid_link_read(l);
		if (rc > 0 && link_frame(u, l))
			rc = -EPROTO;
	} while (rc > 0);
	if (rc < 0)
		link_lost(u, l, rc);
}

/* Holding lock. */
static void reader_step(struct uid_boot *u)
{
	if (u->abort)
		reader_abort(u, u->abort_status);
	for (int i = 0; i < u->n_links; i++) {
		if (u->polls[1 + i].revents)
			link_event(u, &u->links[i]);
		if (u->links[i].gone)
			u->polls[1 + i].fd = -1;
	}
	uid_error_tell(u);
}

static void *reader_run(void *arg)
{
	struct uid_boot *u = arg;
	bool stop = false;

	while (!stop) {
		if (poll(u->polls, 1 + (nfds_t)u->n_links, -1) < 0)
			continue;
		pthread_mutex_lock(&u->lock);
		reader_step(u);
		stop = u->stop;
		pthread_mutex_unlock(&u->lock);
	}
	return NULL;
}

int uid_reader_start(struct uid_boot *u)
{
	int rc = -ENOMEM;

	u->wake_fd = eventfd(0, EFD_CLOEXEC);
	if (u->wake_fd < 0)
		return -errno;
	u->polls = calloc(1 + (size_t)u->n_links, sizeof(*u->polls));
	if (!u->polls)
		goto close_wake;
	u->polls[0] = (struct pollfd){ .fd = u->wake_fd, .events = POLLIN };
	for (int i = 0; i < u->n_links; i++)
		u->polls[1 + i] = (struct pollfd){ .fd = u->links[i].fd,
						   .events = POLLIN };
	rc = shmemi_thread_start(&u->reader, reader_run, u);
	if (!rc) {
		u->running = true;
		return 0;
	}
	free(u->polls);
close_wake:
	close(u->wake_fd);
	return rc;
}

static void reader_wake(struct uid_boot *u)
{
	const uint64_t one = 1;
	ssize_t n = write(u->wake_fd, &one, sizeof(one));

	(void)n; /* an eventfd far from its limit takes it */
}

void uid_reader_stop(struct uid_boot *u)
{
	if (!u->running)
		return;
	pthread_mutex_lock(&u->lock);
	u->stop = true;
	pthread_mutex_unlock(&u->lock);
	reader_wake(u);
	pthread_join(u->reader, NULL);
	free(u->polls);
	close(u->wake_fd);
}

void uid_reader_abort(struct uid_boot *u, int status)
{
	if (!u->running)
		return;
	pthread_mutex_lock(&u->lock);
	u->abort = true;
	u->abort_status = status;
	pthread_mutex_unlock(&u->lock);
	reader_wake(u);
	pthread_join(u->reader, NULL);
}
