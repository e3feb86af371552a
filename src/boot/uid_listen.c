/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "boot/uid.h"

struct listener {
	struct listener *next;
	pid_t pid;
	int fd;
	uint8_t key[UID_KEY_BYTES];
};

static pthread_mutex_t listeners_lock = PTHREAD_MUTEX_INITIALIZER;
static struct listener *listeners;

/* A forked child has the list too, but its parent's socket is not its own. */
static struct listener **listener_at(const uint8_t *key)
{
	struct listener **at = &listeners;

	while (*at && ((*at)->pid != getpid() ||
		       memcmp((*at)->key, key, UID_KEY_BYTES)))
		at = &(*at)->next;
	return at;
}

int uid_listener_find(const uint8_t *key)
{
	const struct listener *l;
	int fd;

	pthread_mutex_lock(&listeners_lock);
	l = *listener_at(key);
	fd = l ? l->fd : -EINVAL;
	pthread_mutex_unlock(&listeners_lock);
	return fd;
}

void uid_listener_drop(const uint8_t *key)
{
	struct listener **at, *l;

	pthread_mutex_lock(&listeners_lock);
	at = listener_at(key);
	l = *at;
	if (l)
		*at = l->next;
	pthread_mutex_unlock(&listeners_lock);
	if (l)
		close(l->fd);
	free(l);
}

static int listener_keep(int fd, const uint8_t *key)
{
	struct listener *l = malloc(sizeof(*l));

	if (!l)
		return -ENOMEM;
	*l = (struct listener){ .pid = getpid(), .fd = fd };
	memcpy(l->key, key, UID_KEY_BYTES);
	pthread_mutex_lock(&listeners_lock);
	l->next = listeners;
	listeners = l;
	pthread_mutex_unlock(&listeners_lock);
	return 0;
}

static int listen_on(int family, const struct sockaddr *addr, socklen_t len)
{
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int no = 0;

	if (fd < 0)
		return -errno;
	if (family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no));
	if (bind(fd, addr, len) || listen(fd, SOMAXCONN)) {
		int rc = -errno;

		close(fd);
		return rc;
	}
	return fd;
}

/* Every address of this host; without IPv6, every IPv4 address. */
static int listen_anywhere(void)
{
	const struct sockaddr_in6 any6 = { .sin6_family = AF_INET6,
					   .sin6_addr = IN6ADDR_ANY_INIT };
	const struct sockaddr_in any4 = { .sin_family = AF_INET };
	int fd = listen_on(AF_INET6, (const struct sockaddr *)&any6,
			   sizeof(any6));

	return fd >= 0 ? fd
		       : listen_on(AF_INET, (const struct sockaddr *)&any4,
				   sizeof(any4));
}

static int fd_port(int fd)
{
	struct sockaddr_in6 s; /* the port lies where sockaddr_in has it */
	socklen_t len = sizeof(s);

	if (getsockname(fd, (struct sockaddr *)&s, &len))
		return -errno;
	return ntohs(s.sin6_port);
}

static int addr_from(struct uid_addr *a, const struct sockaddr *s)
{
	const struct sockaddr_in *in = (const struct sockaddr_in *)s;
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)s;

	if (s->sa_family == AF_INET) {
		a->family = 4;
		memcpy(a->ip, &in->sin_addr, 4);
		return 1;
	}
	if (s->sa_family == AF_INET6 &&
	    !IN6_IS_ADDR_LINKLOCAL(&in6->sin6_addr)) {
		a->family = 6;
		memcpy(a->ip, &in6->sin6_addr, 16);
		return 1;
	}
	return 0;
}

/* Appends the addresses of one family, with or without loopback. */
static int addrs_add(struct uid *id, int n, const struct ifaddrs *all,
		     int family, bool loopback, int limit)
{
	for (const struct ifaddrs *i = all; i && n < limit; i = i->ifa_next)
		if (i->ifa_addr && i->ifa_addr->sa_family == family &&
		    (i->ifa_flags & IFF_UP) &&
		    !(i->ifa_flags & IFF_LOOPBACK) == !loopback)
			n += addr_from(&id->addr[n], i->ifa_addr);
	return n;
}

static int addrs_fill(struct uid *id)
{
	struct ifaddrs *all;
	int n;

	if (getifaddrs(&all))
		return -errno;
	n = addrs_add(id, 0, all, AF_INET, false, UID_ADDRS - 1);
	n = addrs_add(id, n, all, AF_INET6, false, UID_ADDRS - 1);
	n = addrs_add(id, n, all, AF_INET, true, UID_ADDRS);
	n = addrs_add(id, n, all, AF_INET6, true, UID_ADDRS);
	freeifaddrs(all);
	return n ? 0 : -EADDRNOTAVAIL;
}

static int uid_fill(struct uid *id, int fd)
{
	int port = fd_port(fd);

	if (port < 0)
		return port;
	*id = (struct uid){ .magic = UID_MAGIC,
			    .version = UID_VERSION,
			    .port = (uint16_t)port,
			    .node_id = boot_node_id() };
	if (getrandom(id->key, sizeof(id->key), 0) != sizeof(id->key))
		return -errno;
	return addrs_fill(id);
}

int boot_uid_make(void *uid, size_t bytes)
{
	struct uid id;
	int fd, rc;

	if (bytes < sizeof(id)) {
		shmemi_log_error("boot: a unique id takes %zu bytes, not %zu",
				 sizeof(id), bytes);
		return -EINVAL;
	}
	fd = listen_anywhere();
	rc = fd < 0 ? fd : uid_fill(&id, fd);
	if (!rc)
		rc = listener_keep(fd, id.key);
	if (!rc) {
		memcpy(uid, &id, sizeof(id));
		return 0;
	}
	shmemi_log_error("boot: cannot listen for a unique id: %s",
			 strerror(-rc));
	if (fd >= 0)
		close(fd);
	return rc;
}
