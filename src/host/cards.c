/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/cards.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "conduits/gda/gda.h"
#include "host/segment.h"

/* A UCX address with a few transports, and its keys. */
#define FIRST_BYTES 504

struct first {
	uint32_t bytes;
	int32_t gda; /* as gda_possible() says */
	char data[FIRST_BYTES];
};

static int out_of_memory(void)
{
	shmemi_log_error("out of memory for the cards of %d PEs", shmemi.n_pes);
	return -ENOMEM;
}

static size_t longest(const struct first *firsts)
{
	size_t most = 0;

	for (int pe = 0; pe < shmemi.n_pes; pe++)
		if (firsts[pe].bytes > most)
			most = firsts[pe].bytes;
	return most;
}

/* What is beyond the first part, of as many bytes as the longest has. */
static int gather_rest(struct boot *boot, const char *mine, size_t bytes,
		       struct shmemi_cards *cards)
{
	char *all = malloc((size_t)shmemi.n_pes * bytes);
	int rc;

	if (!all)
		return out_of_memory();
	rc = boot_allgather(boot, mine + FIRST_BYTES, bytes, all);
	for (int pe = 0; !rc && pe < shmemi.n_pes; pe++)
		memcpy(cards->all + (size_t)pe * cards->stride_bytes +
			       FIRST_BYTES,
		       all + (size_t)pe * bytes, bytes);
	free(all);
	return rc;
}

/* What one PE can't do, none does: kernels' collectives go one way. */
static void agree_on_gda(const struct first *firsts)
{
	int some = 0, lacks = -1;

	for (int pe = shmemi.n_pes - 1; pe >= 0; pe--) {
		some |= firsts[pe].gda;
		if (!firsts[pe].gda)
			lacks = pe;
	}
	shmemi.gda = some && lacks < 0;
	if (some && lacks >= 0 && !shmemi.me)
		shmemi_log_warn("kernels drive no NICs, as those of PE %d on "
				"%s can't",
				lacks, shmemi.peers[lacks].host);
}

static int gather(struct boot *boot, const char *mine, size_t bytes,
		  struct first *firsts, struct shmemi_cards *cards)
{
	struct first first = { .bytes = (uint32_t)bytes,
			       .gda = gda_possible() };
	size_t most;
	int rc;

	if (first.gda < 0)
		return first.gda;
	memcpy(first.data, mine, sizeof(first.data));
	rc = boot_allgather(boot, &first, sizeof(first), firsts);
	if (rc)
		return rc;
	agree_on_gda(firsts);
	most = longest(firsts);
	cards->stride_bytes = most > FIRST_BYTES ? most : FIRST_BYTES;
	cards->all = malloc((size_t)shmemi.n_pes * cards->stride_bytes);
	if (!cards->all)
		return out_of_memory();
	for (int pe = 0; pe < shmemi.n_pes; pe++)
		memcpy(cards->all + (size_t)pe * cards->stride_bytes,
		       firsts[pe].data, FIRST_BYTES);
	if (most <= FIRST_BYTES)
		return 0;
	return gather_rest(boot, mine, most - FIRST_BYTES, cards);
}

int shmemi_cards_exchange(struct boot *boot, struct shmemi_cards *cards)
{
	struct first *firsts = malloc((size_t)shmemi.n_pes * sizeof(*firsts));
	char mine[CONDUIT_CARD_BYTES] = { 0 };
	size_t bytes = sizeof(mine);
	int rc;

	*cards = (struct shmemi_cards){ 0 };
	if (!firsts)
		return out_of_memory();
	rc = shmemi.net->ops.publish(shmemi_mine, mine, &bytes);
	if (!rc)
		rc = gather(boot, mine, bytes, firsts, cards);
	if (rc)
		shmemi_cards_free(cards);
	free(firsts);
	return rc;
}

void shmemi_cards_free(struct shmemi_cards *cards)
{
	free(cards->all);
	cards->all = NULL;
}
