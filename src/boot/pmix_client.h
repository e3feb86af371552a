/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This process's connection to the PMIx server that started it; for src/boot
 * only. Of everything here, only pmix_client_lost() may be called before
 * pmix_client_connect() has returned 0.
 */
#ifndef BOOT_PMIX_CLIENT_H
#define BOOT_PMIX_CLIENT_H

#include <pmix.h>
#include <stdbool.h>

/*
 * Once per process, however often it is called. -ENOENT, without a log line,
 * when no PMIx server started this process; -ENOTCONN, logged, if that server
 * can't be reached. If the server goes away later, one line says so and the
 * process ends through shmemi_fatal().
 */
int pmix_client_connect(void);

const pmix_proc_t *pmix_client_me(void);

/* The launcher's name of this node, the system's if it gives none. */
const char *pmix_client_host(void);

/* True once the server is gone: calls to it are useless, if not harmful. */
bool pmix_client_lost(void);

/* What our server knows of `who` now, without asking other servers. */
pmix_status_t pmix_client_get(const pmix_proc_t *who, const char *key,
			      pmix_value_t **v);

/*
 * -ENOENT if the server has no such key, or no number for it within INT_MAX.
 * Servers differ in the integer types that they give to the same key.
 */
int pmix_client_get_int(const pmix_proc_t *who, const char *key, int *out);

/* A copy, for free(); NULL if the server has no such key, or no text for it. */
char *pmix_client_get_text(const pmix_proc_t *who, const char *key);

#endif
