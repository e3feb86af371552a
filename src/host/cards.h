/* SPDX-License-Identifier: BSD-3-Clause */
/* What the conduit of the network needs to know of each PE. */
#ifndef SHMEMI_CARDS_H
#define SHMEMI_CARDS_H

#include "boot/boot.h"
#include "host/shmemi.h"

struct shmemi_cards {
	size_t stride_bytes;
	char *all;
};

/*
 * Collective over all PEs. Has shmemi.net publish this PE's segments and
 * gathers everybody's cards, of any length: in one exchange if these are
 * short, else two. Sets shmemi.gda. 0 or a negative errno, logged.
 */
int shmemi_cards_exchange(struct boot *boot, struct shmemi_cards *cards);
void shmemi_cards_free(struct shmemi_cards *cards);

static inline const void *shmemi_card(const struct shmemi_cards *cards, int pe)
{
	return cards->all ? cards->all + (size_t)pe * cards->stride_bytes :
			    NULL;
}

#endif
