/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that other processes of this user map: a memfd, which a peer opens
 * through its owner's /proc/PID/fd. All return a negative errno when they
 * fail, and log nothing.
 */
#ifndef BASE_SHARED_H
#define BASE_SHARED_H

#include <stddef.h>
#include <sys/types.h>

/* A file of zero bytes. flags: those of memfd_create, beyond CLOEXEC. */
int shmemi_shared_create(size_t bytes, unsigned int flags);

/* Replaces what is mapped at the address. offset is a multiple of the page. */
int shmemi_shared_map(void *at, size_t bytes, int fd, off_t offset);

/*
 * Moves the mapping of bytes at from to the address to, in place of what is
 * mapped there; both are page-aligned.
 */
int shmemi_shared_move(void *from, size_t bytes, void *to);

/* A file descriptor of one's own for the peer's; the path goes to messages. */
#define SHMEMI_SHARED_PATH_BYTES 48
int shmemi_shared_open(int pid, int fd, char path[SHMEMI_SHARED_PATH_BYTES]);

/* Why a peer's memory can't be opened, to follow strerror(); or "". */
const char *shmemi_shared_hint(int rc);

#endif
