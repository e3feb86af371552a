/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts named by --host and --hostfile. */
#ifndef OSHRUN_HOSTS_H
#define OSHRUN_HOSTS_H

#include <stdbool.h>

struct oshrun_options;

struct host {
	char *name;
	unsigned slots;
};

struct host_list {
	struct host *hosts;
	unsigned nhosts;
};

/* Reads both options; exits with 64 and one line of reason on misuse. */
void hosts_read(const struct oshrun_options *opt, struct host_list *list);

/* True if a host other than this one is named. */
bool hosts_are_remote(const struct host_list *list);

/* The slots of all hosts together; 0 for an empty list. */
unsigned hosts_count_slots(const struct host_list *list);

#endif
