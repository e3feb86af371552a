/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ring of a queue that a thread of the host posts: kernels leave entries in
 * it (shmem/device/gda_verbs_wire.h), the thread makes work requests of them.
 */
#ifndef GDA_VERBS_H
#define GDA_VERBS_H

#include <shmem/device/gda_verbs_wire.h>

#include "conduits/gda/gda_impl.h"

struct gda_verbs_ring {
	const struct gda_queue *q;
	struct gda_verbs_entry *entries;
	uint64_t *doorbell; /* kernels' count of entries */
	struct gda_verbs_done *done;
	uint32_t key;	   /* of entries, which are sources of their data */
	uint64_t most;	   /* that the NIC takes at once */
	uint64_t posted;   /* to the NIC */
	uint64_t finished; /* by it */
	int failed;
	struct gda_verbs_ring *next;
};

/*
 * By one thread: posts what kernels have left, tells them what is finished; 1
 * if there was something.
 */
int gda_verbs_ring_serve(struct gda_verbs_ring *ring);

/*
 * Gives the ring to the thread, which is started for the first one, and takes
 * it back. add: 0 or a negative errno, logged. Not both at once.
 */
int gda_verbs_thread_add(struct gda_verbs_ring *ring);
void gda_verbs_thread_remove(struct gda_verbs_ring *ring);

#endif
