/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "boot/uid.h"

#define HANDSHAKE_BYTES 4096
#define DRAIN_NS 2000000000u

static void fd_option(int fd, int level, int name, int value)
{
	setsockopt(fd, level, name, &value, sizeof(value));
}

void uid_addr_text(const struct sockaddr *s, char *text, size_t bytes)
{
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)s;
	const struct sockaddr_in *in = (const struct sockaddr_in *)s;
	const uint8_t *ip6 = in6->sin6_addr.s6_addr;
	char ip[INET6_ADDRSTRLEN] = "?";

	if (s->sa_family == AF_INET)
		inet_ntop(AF_INET, &in->sin_addr, ip, sizeof(ip));
	else if (IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr))
		inet_ntop(AF_INET, ip6 + 12, ip, sizeof(ip));
	else
		inet_ntop(AF_INET6, ip6, ip, sizeof(ip));
	snprintf(text, bytes, strchr(ip, ':') ? "[%s]:%d" : "%s:%d", ip,
		 ntohs(in->sin_port)); /* both families have it there */
}

void uid_link_init(struct uid_link *l, int fd, int pe, const char *where)
{
	*l = (struct uid_link){ .fd = fd,
				.pe = pe,
				.limit_bytes = HANDSHAKE_BYTES };
	snprintf(l->where, sizeof(l->where), "%s", where);
	fd_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	/* A host that vanishes is noticed in about a minute. */
	fd_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	fd_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, 30);
	fd_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, 10);
	fd_option(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

void uid_link_free(struct uid_link *l)
{
	if (l->fd >= 0)
		close(l->fd);
	free(l->body);
	free(l->data);
	*l = (struct uid_link){ .fd = -1 };
}

int uid_link_send(const struct uid_link *l, enum uid_type type, uint32_t arg,
		  const void *body, size_t bytes, int flags)
{
	struct uid_frame head = { .magic = UID_MAGIC,
				  .version = UID_VERSION,
				  .type = (uint16_t)type,
				  .arg = arg,
				  .bytes = bytes };
	struct iovec v[2] = { { &head, sizeof(head) },
			      { (void *)body, bytes } };
	struct msghdr m = { .msg_iov = v, .msg_iovlen = 2 };

	while (v[0].iov_len + v[1].iov_len > 0) {
		ssize_t n = sendmsg(l->fd, &m, flags | MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		for (int i = 0; i < 2; i++) {
			size_t part = (size_t)n < v[i].iov_len ? (size_t)n
							       : v[i].iov_len;

			v[i].iov_base = (char *)v[i].iov_base + part;
			v[i].iov_len -= part;
			n -= (ssize_t)part;
		}
	}
	return 0;
}

static int head_check(struct uid_link *l)
{
	if (l->head.magic != UID_MAGIC || l->head.version != UID_VERSION ||
	    l->head.bytes > l->limit_bytes)
		return -EPROTO;
	/* One more: an error's text gets its end here. */
	l->body = calloc(1, l->head.bytes + 1);
	return l->body ? 0 : -ENOMEM;
}

/* The part of a frame that starts at from: 1 when it is complete. */
static int link_fill(struct uid_link *l, void *part, size_t from, size_t bytes)
{
	while (l->got_bytes < from + bytes) {
		size_t have = l->got_bytes - from;
		ssize_t n = recv(l->fd, (char *)part + have, bytes - have,
				 MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return 0;
		if (n <= 0)
			return n ? -errno : -ECONNRESET;
		l->got_bytes += (size_t)n;
	}
	return 1;
}

int uid_link_read(struct uid_link *l)
{
	int rc;

	if (!l->body) {
		rc = link_fill(l, &l->head, 0, sizeof(l->head));
		if (rc <= 0)
			return rc;
		rc = head_check(l);
		if (rc)
			return rc;
	}
	return link_fill(l, l->body, sizeof(l->head), l->head.bytes);
}

void uid_link_next(struct uid_link *l)
{
	free(l->body);
	l->body = NULL;
	l->got_bytes = 0;
}

int uid_left_ms(uint64_t deadline_ns)
{
	uint64_t now_ns = shmemi_now_ns();

	if (now_ns >= deadline_ns)
		return 0;
	return (int)((deadline_ns - now_ns + 999999) / 1000000);
}

int uid_link_wait(struct uid_link *l, uint64_t deadline_ns)
{
	for (;;) {
		struct pollfd p = { .fd = l->fd, .events = POLLIN };
		int rc = uid_link_read(l);

		if (rc)
			return rc < 0 ? rc : 0;
		rc = poll(&p, 1, uid_left_ms(deadline_ns));
		if (rc < 0 && errno != EINTR)
			return -errno;
		if (rc == 0)
			return -ETIMEDOUT;
	}
}

static void fd_drain(int fd, uint64_t deadline_ns)
{
	char scrap[4096];
	ssize_t n;

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		if (poll(&p, 1, uid_left_ms(deadline_ns)) == 0)
			return;
		n = recv(fd, scrap, sizeof(scrap), MSG_DONTWAIT);
		if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
			return;
	}
}

void uid_links_drain(struct uid_link *links, int n)
{
	uint64_t deadline_ns = shmemi_now_ns() + DRAIN_NS;

	for (int i = 0; i < n; i++)
		if (links[i].fd >= 0)
			shutdown(links[i].fd, SHUT_WR);
	for (int i = 0; i < n; i++)
		if (links[i].fd >= 0)
			fd_drain(links[i].fd, deadline_ns);
}
