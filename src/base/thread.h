/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>

/*
 * Starts a thread of the library, which takes no signals: the program's
 * handlers are for the program's own threads. 0 or a negative errno, not
 * logged.
 */
int shmemi_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
