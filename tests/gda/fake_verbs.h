/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_GDA_FAKE_VERBS_H
#define TESTS_GDA_FAKE_VERBS_H

#include <stdint.h>

/* A remote key is so much more than the local one. */
#define FAKE_RKEY 1000000

/* What is open now, and what was asked for last. */
struct fake_counts {
	int lists, contexts, pds, mrs;
	int asked, keys, dmabufs; /* since the start */
	int last_access, last_fd;
	uint64_t last_offset;
};

#endif
