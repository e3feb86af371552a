/* SPDX-License-Identifier: BSD-3-Clause */
/* A command line under construction, for another launcher. */
#ifndef OSHRUN_WORDS_H
#define OSHRUN_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct host_list;

struct words {
	char **v; /* NULL-terminated, once there is a word */
	size_t n;
};

/* Every function here exits with 71 and one line when memory is short. */
void words_add(struct words *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* All of a NULL-terminated argv. */
void words_add_all(struct words *w, char *const *argv);

/* "a:2,b:2", or "a,b" without slots; malloc'd. */
char *words_hosts(const struct host_list *list, bool slots);

#endif
