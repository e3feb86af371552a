/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bootstrap over sockets: PE 0 listens, every other PE holds one TCP
 * connection to it, all data flows through PE 0. For src/boot/uid*.c only.
 *
 * uid_listen.c   makes a uid and keeps its listening socket
 * uid_join.c     PE 0 collects the other PEs
 * uid_connect.c  the other PEs reach PE 0
 * uid_link.c     frames over one connection
 * uid_reader.c   the thread that reads, so that an abort is seen at any time
 * uid.c          open, close and the collectives
 */
#ifndef BOOT_UID_H
#define BOOT_UID_H

#include <pthread.h>
#include <poll.h>
#include <sys/socket.h>

#include "boot/impl.h"

#define UID_KEY_BYTES 16
#define UID_ADDRS 5
#define UID_VERSION 1

/* What the caller's 128 bytes hold. Numbers in host order: see magic. */
struct uid {
	uint32_t magic;
	uint16_t version;
	uint16_t port;
	uint8_t key[UID_KEY_BYTES];
	uint64_t node_id;
	/* To be tried in this order; loopback is last and for node_id only. */
	struct uid_addr {
		uint8_t family; /* 4, 6, or 0: none */
		uint8_t ip[16]; /* network order */
	} addr[UID_ADDRS];
	uint8_t unused[11];
};
_Static_assert(sizeof(struct uid) == BOOT_UID_BYTES, "uid size");

/* The first word of every frame and uid; a PE of other endianness differs. */
#define UID_MAGIC 0x53524355u

enum uid_type {
	UID_HELLO = 1, /* body: struct uid_hello */
	UID_WELCOME,   /* body: struct uid_welcome; all have joined */
	UID_DATA,      /* one PE's bytes to PE 0, all PEs' bytes from it */
	UID_ERROR,     /* arg: errno, body: the text; nothing follows */
	UID_ABORT,     /* arg: status */
	UID_BYE,       /* the sender has closed */
};

struct uid_frame {
	uint32_t magic;
	uint16_t version;
	uint16_t type;
	uint32_t arg;
	uint32_t unused;
	uint64_t bytes; /* of the body */
};
_Static_assert(sizeof(struct uid_frame) == 24, "frame size");

struct uid_hello {
	uint8_t key[UID_KEY_BYTES];
	uint64_t node_id;
	int32_t pe, n_pes;
};
_Static_assert(sizeof(struct uid_hello) == 32, "hello size");

struct uid_welcome {
	int32_t local_rank, n_local;
};

struct uid_link {
	int fd;
	int pe;
	uint64_t node_id;
	char where[64]; /* for messages: address and port of the other side */
	/* The frame being read. */
	struct uid_frame head;
	char *body;
	size_t got_bytes;
	size_t limit_bytes; /* of a body; small until the key is known */
	/* The UID_DATA that came for the collective. */
	bool full;
	bool bye, gone; /* said goodbye; nothing more can come */
	char *data;
	size_t data_bytes;
};

struct uid_boot {
	struct boot base;
	int n_links; /* PE 0: n_pes - 1, by PE; others: 1 */
	struct uid_link *links;

	bool running; /* the reader */
	pthread_t reader;
	int wake_fd;
	struct pollfd *polls; /* wake_fd, then the links */

	/* One frame at a time per link; taken after lock or without it. */
	pthread_mutex_t send_lock;

	pthread_mutex_t lock; /* what follows, and the links' receiving side */
	pthread_cond_t changed;
	int n_full, n_bye;
	bool stop, abort;
	int abort_status;
	int error; /* the first one; negative errno */
	bool error_told, error_logged;
	char why[192];
};

/* uid_listen.c: the socket that listens for key in this process, or -EINVAL. */
int uid_listener_find(const uint8_t *key);
void uid_listener_drop(const uint8_t *key);

/* uid_join.c, uid_connect.c: fill u->links, base.info.local_rank, n_local. */
int uid_join(struct uid_boot *u, const struct uid *id, int timeout_s);
int uid_connect(struct uid_boot *u, const struct uid *id, int timeout_s);

/* uid_link.c. Every fd is a blocking socket; reading never blocks. */
void uid_addr_text(const struct sockaddr *s, char *text, size_t bytes);
void uid_link_init(struct uid_link *l, int fd, int pe, const char *where);
void uid_link_free(struct uid_link *l);
/* flags: MSG_DONTWAIT or 0. 0 or a negative errno. */
int uid_link_send(const struct uid_link *l, enum uid_type type, uint32_t arg,
		  const void *body, size_t bytes, int flags);
/*
 * 1: head and body are complete, and uid_link_next() makes place for the next
 * frame. 0: not yet. -ECONNRESET at the end of the stream, -EPROTO for what is
 * no frame, other negative errnos from recv().
 */
int uid_link_read(struct uid_link *l);
void uid_link_next(struct uid_link *l);
/* Blocks for one frame until deadline_ns: 0, -ETIMEDOUT, or as above. */
int uid_link_wait(struct uid_link *l, uint64_t deadline_ns);
/* Sends nothing more and reads until the other sides close, 2 s at most. */
void uid_links_drain(struct uid_link *links, int n);

/* Milliseconds until deadline_ns for poll(), at least 0. */
int uid_left_ms(uint64_t deadline_ns);

/* uid_reader.c */
int uid_reader_start(struct uid_boot *u);
void uid_reader_stop(struct uid_boot *u);
/* Asks the reader to end every PE; it ends this process. */
void uid_reader_abort(struct uid_boot *u, int status);
/* Holding lock once the reader runs: notes the first error. */
void uid_fail(struct uid_boot *u, int error, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same: PE 0 passes the error on, unless a collective is sending. */
void uid_error_tell(struct uid_boot *u);
/* The same: logs the error the first time, and returns it. */
int uid_error_report(struct uid_boot *u);

#endif
