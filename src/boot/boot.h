/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a process learns its PE number, the PE count and its node's PEs, and
 * how all PEs exchange a blob before any other path between them exists.
 *
 * Everything returns 0 or a negative errno, already logged in one line, except
 * -ENOMEM and the -ENOENT of boot_open_pmix(). One thread at a time calls into
 * a struct boot; boot_abort() may come from any thread.
 */
#ifndef BOOT_H
#define BOOT_H

#include <stddef.h>
#include <stdint.h>

#define BOOT_UID_BYTES 128

struct boot;

struct boot_info {
	int pe, n_pes;
	/*
	 * Among the PEs of this node, by rising PE number. n_local is 0 while
	 * the kind cannot know (always "user", "pmix" if the server does not
	 * say): call boot_localize() after the first exchange.
	 */
	int local_rank, n_local;
	char host[256];
	const char *kind; /* "pmix", "uid", "user" or "single" */
};

/*
 * The caller's own functions. Each returns 0 or anything else for failure.
 * allgather fills dst with n_pes * bytes in PE order; src and dst do not
 * overlap. abort may be NULL; if it returns, the process ends with status.
 */
struct boot_user {
	int (*allgather)(const void *src, void *dst, size_t bytes, void *arg);
	int (*barrier)(void *arg);
	void (*abort)(int status, const char *msg, void *arg);
	void *arg;
};

/*
 * PMIx if this process has a PMIx server, otherwise a job of one PE;
 * timeout_s as below.
 */
int boot_open(struct boot **out, int timeout_s);

/*
 * -ENOENT, without a log line, when no PMIx server started this process.
 * The connection lasts from the first open until exit(), however often it is
 * opened. The server keeps every value: a collective costs what this process
 * has gathered so far, which is nothing for start-up and much for megabytes.
 * A collective fails with -ETIMEDOUT if a PE comes more than timeout_s after
 * the first one; 0: no limit.
 */
int boot_open_pmix(struct boot **out, int timeout_s);

int boot_open_single(struct boot **out);

/*
 * Makes a unique id: a random key and the addresses at which this process
 * listens from now on. Hand the bytes to every PE by any means. The socket
 * stays open until the process ends or an open with this uid fails, so the
 * same uid serves again once every PE has closed. bytes: at least
 * BOOT_UID_BYTES, -EINVAL otherwise.
 */
int boot_uid_make(void *uid, size_t bytes);

/*
 * Collective over the n_pes processes. PE 0 must be the process that made
 * uid (a forked child is another process): -EINVAL otherwise. On every PE:
 * -EACCES a key is wrong, -EINVAL PE counts differ or a PE number came twice,
 * -ETIMEDOUT PEs are missing after timeout_s, -ECONNRESET a PE died,
 * -ECONNREFUSED nobody listens for this uid any more.
 */
int boot_open_uid(struct boot **out, int pe, int n_pes, const void *uid,
		  int timeout_s);

/* u is copied; u->arg must stay valid until boot_close(). */
int boot_open_user(struct boot **out, int pe, int n_pes,
		   const struct boot_user *u);

/* Valid until boot_close(). */
const struct boot_info *boot_info(const struct boot *b);

/*
 * Collective, same bytes on every PE: all receives n_pes * bytes in PE order.
 * It is also a barrier. After an error the only valid calls are boot_abort()
 * and boot_close().
 */
int boot_allgather(struct boot *b, const void *mine, size_t bytes, void *all);

int boot_barrier(struct boot *b);

/*
 * Ends every PE with status (its low 8 bits), wherever they are, and prints
 * msg once; NULL prints nothing. Kind "user" without an abort function ends
 * only this process.
 */
_Noreturn void boot_abort(struct boot *b, int status, const char *msg);

/* Frees b. PEs may close at different times and exit when they like. */
int boot_close(struct boot *b);

/* Equal on two processes exactly if they share a kernel and a host name. */
uint64_t boot_node_id(void);

/*
 * Sets local_rank and n_local from an exchanged table: the uint64_t node id
 * of PE i lies at (const char *)node_ids + i * stride_bytes, any alignment.
 */
void boot_localize(struct boot *b, const void *node_ids, size_t stride_bytes);

#endif
