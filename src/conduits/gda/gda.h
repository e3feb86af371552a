/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gda: queues of NICs that kernels write and ring themselves
 * (shmem/device/gda.h), for PEs that loads and stores don't reach. The host
 * opens NICs, shows them memory, and connects a queue when a kernel asks for
 * it: a queue is of one context, leads to one PE, and its host part is never
 * between a put and the NIC, but with the `verbs` provider.
 */
#ifndef GDA_H
#define GDA_H

#include <stddef.h>

struct shmemd_gda;

/*
 * Whether this PE could use gda, by its settings, platform and NICs; opens no
 * NIC. 1 or 0; a negative errno, logged, if a setting is malformed or what was
 * asked for by name is not there. gda is used if all PEs can.
 */
int gda_possible(void);

/*
 * Opens NICs, registers this PE's segments and starts the thread that connects
 * queues, or does nothing if that is done. After all peers are connected by the
 * network's conduit; before teams are made, as blocks of the sync segment shall
 * lie alike on all PEs. 0 or a negative errno, logged. close: no kernel runs
 * any more, peers are still there, and all PEs have met since their last use.
 */
int gda_open(void);
void gda_close(void);

/*
 * After teams of all PEs are made: takes of the sync segment as many keys as
 * this PE has NICs and pieces of memory, which need not be alike.
 */
int gda_show(void);

/* Before PEs part, after all have met: nothing is on its way to peers. */
void gda_part(void);

/* What kernels are to know; zero while it is closed. */
void gda_tell(struct shmemd_gda *kernels);

/* The provider whose queues kernels drive; NULL while it is closed. */
const char *gda_kind(void);

/* The host gives out a context; what had its handle before is forgotten. */
void gda_begin(unsigned int ctx, long options);

/*
 * Waits for all that kernels which have ended have posted, but not for what a
 * failed context has. At once while it is closed.
 */
void gda_quiet(void);

/*
 * Memory of the program that kernels may name as a source or for a result
 * without a copy. 0, or a negative errno with a warning: then kernels copy what
 * is there. Nothing while gda is closed.
 */
int gda_buffer_register(void *p, size_t bytes);
void gda_buffer_unregister(void *p);

/*
 * A context's first failure: SHMEMX_ERROR_*, or 0; text, if not NULL, gets it
 * in words, with PE and NIC, "" for none.
 */
int gda_error(unsigned int ctx, char *text, size_t bytes);

/* A port of a NIC, and why this PE takes it or not, for shmem_info --nics. */
struct gda_fact {
	char name[64];	   /* device:port */
	char provider[16]; /* "" if none serves it */
	char state[16];
	char gid[48]; /* "" if none was found */
	char gid_reason[96];
	char why[128];
	int gid_index;
	int distance;  /* PCI hops to the GPU; -1 unknown */
	int mtu_bytes; /* 0 unknown */
	int taken;     /* 1 is the first of those that are taken; 0: it isn't */
};

/*
 * What this PE makes of all ports, the nearest ones first, as the local_rank-th
 * of its node; the platform is open, the settings are parsed, gda is closed.
 * How many there are, of which the first room are in facts. Negative: why says
 * why there is nothing to say.
 */
int gda_survey(int local_rank, struct gda_fact *facts, int room, char *why,
	       size_t bytes);

#endif
