/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "boot/uid.h"

#define ATTEMPT_NS 2000000000u
#define PAUSE_NS 50000000u
/*
 * PE 0 listens before its uid can be known, so a refusal means that it has
 * ended or given up; this much is for a network that is just being set up.
 */
#define REFUSED_NS 1000000000u

struct target {
	struct sockaddr_storage addr;
	socklen_t len;
	bool loopback;
	char text[64];
};

static void target_set(struct target *t, const struct uid_addr *a,
		       uint16_t port)
{
	struct sockaddr_in *in = (struct sockaddr_in *)&t->addr;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&t->addr;

	*t = (struct target){ .len = sizeof(*in) };
	if (a->family == 4) {
		in->sin_family = AF_INET;
		in->sin_port = htons(port);
		memcpy(&in->sin_addr, a->ip, 4);
		t->loopback = a->ip[0] == 127;
	} else {
		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons(port);
		memcpy(&in6->sin6_addr, a->ip, 16);
		t->loopback = IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
		t->len = sizeof(*in6);
	}
	uid_addr_text((struct sockaddr *)&t->addr, t->text, sizeof(t->text));
}

static int connect_wait(int fd, uint64_t deadline_ns)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	int error = 0, rc;
	socklen_t len = sizeof(error);

	do
		rc = poll(&p, 1, uid_left_ms(deadline_ns));
	while (rc < 0 && errno == EINTR);
	if (rc <= 0)
		return rc ? -errno : -ETIMEDOUT;
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len);
	return -error;
}

/* A connected, blocking socket or a negative errno. */
static int connect_to(const struct target *t, uint64_t deadline_ns)
{
	int fd = socket(t->addr.ss_family,
			SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int rc = 0;

	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&t->addr, t->len))
		rc = errno == EINPROGRESS ? connect_wait(fd, deadline_ns)
					  : -errno;
	if (!rc && fcntl(fd, F_SETFL, 0))
		rc = -errno;
	if (!rc)
		return fd;
	close(fd);
	return rc;
}

/* 0 with the welcome, or why not; uid_fail() only if PE 0 said so. */
static int hello(struct uid_boot *u, struct uid_link *l, const struct uid *id,
		 uint64_t deadline_ns)
{
	struct uid_hello h = { .node_id = boot_node_id(),
			       .pe = u->base.info.pe,
			       .n_pes = u->base.info.n_pes };
	struct uid_welcome w;
	int rc;

	memcpy(h.key, id->key, sizeof(h.key));
	rc = uid_link_send(l, UID_HELLO, 0, &h, sizeof(h), 0);
	if (!rc)
		rc = uid_link_wait(l, deadline_ns);
	if (rc)
		return rc;
	if (l->head.type == UID_ERROR) {
		uid_fail(u, -(int)l->head.arg, "%s", l->body);
		return u->error;
	}
	if (l->head.type != UID_WELCOME || l->head.bytes != sizeof(w))
		return -EPROTO;
	memcpy(&w, l->body, sizeof(w));
	u->base.info.local_rank = w.local_rank;
	u->base.info.n_local = w.n_local;
	l->limit_bytes = SIZE_MAX / 2;
	uid_link_next(l);
	return 0;
}

static int attempt(struct uid_boot *u, const struct target *t,
		   const struct uid *id, uint64_t deadline_ns)
{
	uint64_t soon_ns = shmemi_now_ns() + ATTEMPT_NS;
	struct uid_link *l = &u->links[0];
	int fd = connect_to(t, soon_ns < deadline_ns ? soon_ns : deadline_ns);
	int rc;

	if (fd < 0)
		return fd;
	uid_link_init(l, fd, 0, t->text);
	/* PE 0's own deadline passes first: it can name who is missing. */
	rc = hello(u, l, id, deadline_ns + REFUSED_NS);
	if (rc == -ETIMEDOUT)
		uid_fail(u, rc,
			 "PE %d is connected with %s, but PE 0 did not "
			 "open the job in time",
			 u->base.info.pe, t->text);
	if (rc)
		uid_link_free(l);
	return rc;
}

/*
 * One attempt at each address: 0, or the last error, refusals counting least.
 * where: the first address that could be tried.
 */
static int round_once(struct uid_boot *u, const struct uid *id,
		      uint64_t deadline_ns, char where[64])
{
	bool same_node = id->node_id == boot_node_id();
	int worst = -ECONNREFUSED;

	where[0] = '\0';
	for (int i = 0; i < UID_ADDRS && id->addr[i].family; i++) {
		struct target t;
		int rc;

		target_set(&t, &id->addr[i], id->port);
		if (t.loopback && !same_node)
			continue;
		if (!where[0])
			memcpy(where, t.text, sizeof(t.text));
		rc = attempt(u, &t, id, deadline_ns);
		if (!rc || u->error)
			return rc;
		if (rc != -ECONNREFUSED && rc != -ECONNRESET)
			worst = rc;
	}
	return where[0] ? worst : -EADDRNOTAVAIL;
}

static void connect_fail(struct uid_boot *u, int rc, const char *where,
			 int timeout_s)
{
	int pe = u->base.info.pe;

	if (rc == -ECONNREFUSED)
		uid_fail(u, rc,
			 "PE %d cannot reach PE 0 at %s: it has ended "
			 "or given up",
			 pe, where);
	else if (rc == -EADDRNOTAVAIL)
		uid_fail(u, rc,
			 "PE %d cannot reach PE 0: it is on another "
			 "host and had only a loopback address",
			 pe);
	else
		uid_fail(u, -ETIMEDOUT,
			 "PE %d could not reach PE 0 at %s "
			 "within %d s: %s",
			 pe, where, timeout_s, strerror(-rc));
}

int uid_connect(struct uid_boot *u, const struct uid *id, int timeout_s)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	uint64_t start_ns = shmemi_now_ns(), now_ns;
	uint64_t deadline_ns = start_ns + (uint64_t)timeout_s * 1000000000u;
	uint64_t refused_ns = start_ns + REFUSED_NS;
	char where[64];
	int rc;

	for (;;) {
		rc = round_once(u, id, deadline_ns, where);
		if (!rc || u->error)
			break;
		now_ns = shmemi_now_ns();
		if (now_ns >= deadline_ns || rc == -EADDRNOTAVAIL ||
		    (rc == -ECONNREFUSED && now_ns >= refused_ns)) {
			connect_fail(u, rc, where, timeout_s);
			break;
		}
		nanosleep(&pause, NULL);
	}
	return uid_error_report(u);
}
