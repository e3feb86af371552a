/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "boot/uid.h"

/* Connections that are not PEs (a port scan, say) must not crowd those out. */
#define STRANGERS 64
/* After an error: how long PEs that are still to come are waited for. */
#define GRACE_NS 1000000000u

struct join {
	struct uid_boot *u;
	const struct uid *id;
	int listen_fd;
	int n_heard; /* PEs, and those who wrongly want to be one */
	int n_conns; /* not yet heard, or refused and waiting to be told why */
	struct uid_link *conns;
	struct pollfd *polls; /* listen_fd, conns, then the joined links */
	uint64_t deadline_ns;
};

static bool key_matches(const uint8_t *a, const uint8_t *b)
{
	uint8_t differ = 0;

	for (int i = 0; i < UID_KEY_BYTES; i++)
		differ |= a[i] ^ b[i];
	return !differ;
}

/* 0, or why this PE cannot be one of the job. */
static int hello_check(struct join *j, const struct uid_link *l,
		       const struct uid_hello *h)
{
	struct uid_boot *u = j->u;
	int n_pes = u->base.info.n_pes;

	if (!key_matches(h->key, j->id->key))
		uid_fail(u, -EACCES, "PE %d at %s has the key of another uid",
			 h->pe, l->where);
	else if (h->n_pes != n_pes)
		uid_fail(u, -EINVAL,
			 "PE %d at %s has a PE count of %d, PE 0 "
			 "one of %d",
			 h->pe, l->where, h->n_pes, n_pes);
	else if (h->pe < 1 || h->pe >= n_pes)
		uid_fail(u, -EINVAL, "%s wants to be PE %d, expected 1 to %d",
			 l->where, h->pe, n_pes - 1);
	else if (u->links[h->pe - 1].pe)
		uid_fail(u, -EINVAL, "both %s and %s want to be PE %d",
			 u->links[h->pe - 1].where, l->where, h->pe);
	else
		return 0;
	return -EINVAL;
}

static void conn_drop(struct join *j, int i)
{
	uid_link_free(&j->conns[i]);
	j->conns[i] = j->conns[--j->n_conns];
}

static void conn_hello(struct join *j, int i)
{
	struct uid_link *l = &j->conns[i];
	struct uid_hello h;

	if (l->head.type != UID_HELLO || l->head.bytes != sizeof(h)) {
		conn_drop(j, i);
		return;
	}
	memcpy(&h, l->body, sizeof(h));
	uid_link_next(l);
	j->n_heard++;
	l->pe = h.pe;
	l->bye = hello_check(j, l, &h);
	if (l->bye)
		return;
	l->node_id = h.node_id;
	l->limit_bytes = SIZE_MAX / 2;
	j->u->links[h.pe - 1] = *l;
	*l = j->conns[--j->n_conns];
}

static void conn_read(struct join *j, int i)
{
	int rc = uid_link_read(&j->conns[i]);

	if (rc < 0)
		conn_drop(j, i);
	else if (rc > 0)
		conn_hello(j, i);
}

static void conn_accept(struct join *j)
{
	struct sockaddr_storage s;
	socklen_t len = sizeof(s);
	char where[64];
	int fd = accept4(j->listen_fd, (struct sockaddr *)&s, &len,
			 SOCK_CLOEXEC);

	if (fd < 0) {
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
			uid_fail(j->u, -errno,
				 "PE 0 cannot accept the %dth "
				 "connection: %s",
				 j->n_heard + 1, strerror(errno));
		return;
	}
	if (j->n_conns == j->u->n_links + STRANGERS) {
		close(fd);
		return;
	}
	uid_addr_text((struct sockaddr *)&s, where, sizeof(where));
	uid_link_init(&j->conns[j->n_conns++], fd, -1, where);
}

/* A joined PE has nothing to say yet: whatever there is, is its end. */
static void joined_check(struct join *j, struct uid_link *l)
{
	int rc = uid_link_read(l);

	if (!rc)
		return;
	uid_fail(j->u, rc < 0 ? rc : -EPROTO,
		 "PE %d at %s left before all "
		 "PEs had joined",
		 l->pe, l->where);
	close(l->fd);
	l->fd = -1;
}

static int join_poll(struct join *j)
{
	struct pollfd *p = j->polls;
	int n = 0;

	p[n++] = (struct pollfd){ .fd = j->listen_fd, .events = POLLIN };
	for (int i = 0; i < j->n_conns; i++)
		p[n++] =
			(struct pollfd){ .fd = j->conns[i].bye ? -1
							       : j->conns[i].fd,
					 .events = POLLIN };
	for (int i = 0; i < j->u->n_links; i++)
		p[n++] = (struct pollfd){ .fd = j->u->links[i].fd,
					  .events = POLLIN };
	return poll(p, (nfds_t)n, uid_left_ms(j->deadline_ns));
}

static void join_step(struct join *j)
{
	const struct pollfd *p = j->polls + 1 + j->n_conns;

	for (int i = 0; i < j->u->n_links; i++)
		if (p[i].revents)
			joined_check(j, &j->u->links[i]);
	/* Downwards: dropping one moves the last into its place. */
	for (int i = j->n_conns - 1; i >= 0; i--)
		if (j->polls[1 + i].revents)
			conn_read(j, i);
	if (j->polls[0].revents)
		conn_accept(j);
}

static void join_late(struct join *j, int timeout_s)
{
	struct uid_boot *u = j->u;
	char list[96] = "";
	size_t used = 0;
	int missing = 0;

	for (int i = 0; i < u->n_links; i++) {
		if (u->links[i].pe)
			continue;
		if (missing++ < 8)
			used += (size_t)snprintf(
				list + used, sizeof(list) - used, " %d", i + 1);
	}
	uid_fail(u, -ETIMEDOUT, "%d of %d PEs did not come within %d s: PE%s%s",
		 missing, u->base.info.n_pes, timeout_s, list,
		 missing > 8 ? " ..." : "");
}

static void join_all(struct join *j, int timeout_s)
{
	bool hurried = false;

	while (j->n_heard < j->u->n_links) {
		int rc = join_poll(j);

		if (rc > 0)
			join_step(j);
		else if (rc == 0 || errno != EINTR)
			break;
		if (j->u->error && !hurried) {
			uint64_t grace_ns = shmemi_now_ns() + GRACE_NS;

			hurried = true;
			if (grace_ns < j->deadline_ns)
				j->deadline_ns = grace_ns;
		}
	}
	if (j->n_heard < j->u->n_links)
		join_late(j, timeout_s);
}

static struct uid_welcome locate(const struct uid_boot *u, uint64_t root_id,
				 uint64_t node_id, int pe)
{
	bool with_root = root_id == node_id;
	struct uid_welcome w = { .local_rank = with_root && pe,
				 .n_local = with_root };

	for (int i = 0; i < u->n_links; i++) {
		if (u->links[i].node_id != node_id)
			continue;
		w.n_local++;
		w.local_rank += u->links[i].pe < pe;
	}
	return w;
}

static void join_welcome(struct uid_boot *u)
{
	uint64_t root_id = boot_node_id();
	struct uid_welcome w = locate(u, root_id, root_id, 0);

	u->base.info.local_rank = w.local_rank;
	u->base.info.n_local = w.n_local;
	for (int i = 0; i < u->n_links; i++) {
		const struct uid_link *l = &u->links[i];
		int rc;

		w = locate(u, root_id, l->node_id, l->pe);
		rc = uid_link_send(l, UID_WELCOME, 0, &w, sizeof(w), 0);
		if (rc)
			uid_fail(u, rc,
				 "PE %d at %s left before all PEs had joined",
				 l->pe, l->where);
	}
}

static void join_refuse(struct join *j)
{
	struct uid_boot *u = j->u;

	uid_error_tell(u);
	for (int i = 0; i < j->n_conns; i++)
		uid_link_send(&j->conns[i], UID_ERROR, (uint32_t)-u->error,
			      u->why, strlen(u->why), MSG_DONTWAIT);
	uid_links_drain(j->conns, j->n_conns);
	uid_links_drain(u->links, u->n_links);
}

static int join_run(struct join *j, int timeout_s)
{
	join_all(j, timeout_s);
	if (!j->u->error)
		join_welcome(j->u);
	if (j->u->error)
		join_refuse(j);
	for (int i = 0; i < j->n_conns; i++)
		uid_link_free(&j->conns[i]);
	return uid_error_report(j->u);
}

int uid_join(struct uid_boot *u, const struct uid *id, int timeout_s)
{
	size_t n = (size_t)u->n_links + STRANGERS;
	struct join j = {
		.u = u,
		.id = id,
		.listen_fd = uid_listener_find(id->key),
		.deadline_ns =
			shmemi_now_ns() + (uint64_t)timeout_s * 1000000000u,
	};
	int rc = -ENOMEM;

	if (j.listen_fd < 0) {
		uid_fail(u, -EINVAL,
			 "PE 0 is not the process that made the "
			 "unique id");
		return uid_error_report(u);
	}
	j.conns = calloc(n, sizeof(*j.conns));
	j.polls = calloc(1 + n + (size_t)u->n_links, sizeof(*j.polls));
	if (j.conns && j.polls)
		rc = join_run(&j, timeout_s);
	if (rc)
		uid_listener_drop(id->key);
	free(j.conns);
	free(j.polls);
	return rc;
}
