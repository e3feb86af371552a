/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/log.h"
#include "conduits/gda/gda_connect.h"
#include "gpu/gpu.h"
#include "host/heap.h"
#include "host/segment.h"

/* Of a NIC, in the sync segment. */
struct keys {
	struct gda_bases bases;
	struct shmemd_gda_key key[];
};

/* A peer's, by one of its NICs, as kernels have them. */
struct known {
	struct known *next;
	uint32_t nic;
	struct shmemd_gda_remote *kernels;
};

static struct {
	size_t offset;
	size_t stride_bytes;
	struct known **known; /* by PE */
} remotes;

static size_t keys_bytes(size_t n_chunks)
{
	return sizeof(struct keys) + n_chunks * sizeof(struct shmemd_gda_key);
}

uint64_t gda_remote_offset(unsigned int nic)
{
	return remotes.offset + nic * remotes.stride_bytes;
}

int gda_remote_open(void)
{
	remotes.stride_bytes = shmemi_round_up(keys_bytes(gda_memory_chunks()),
					       CACHE_LINE_BYTES);
	remotes.known = calloc((size_t)shmemi.n_pes, sizeof(*remotes.known));
	if (remotes.known)
		return 0;
	shmemi_log_error("out of memory for keys of %d PEs", shmemi.n_pes);
	return -ENOMEM;
}

int gda_remote_show(void)
{
	if (shmemi_sync_get(gda_n_nics * remotes.stride_bytes,
			    &remotes.offset)) {
		shmemi_log_error("out of memory for keys of %zu pieces of "
				 "memory; is SHMEM_GDA_REGION too small?",
				 gda_memory_chunks());
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < gda_n_nics; i++) {
		struct keys *keys = (void *)(shmemi_mine[CONDUIT_SYNC].base +
					     gda_remote_offset(i));

		gda_memory_describe(i, &keys->bases, keys->key);
	}
	return 0;
}

void gda_remote_close(void)
{
	for (int pe = 0; pe < shmemi.n_pes; pe++)
		while (remotes.known[pe]) {
			struct known *known = remotes.known[pe];

			remotes.known[pe] = known->next;
			free(known);
		}
	free(remotes.known);
	remotes.known = NULL;
}

/* Kernels find a key by what my own memory is cut into. */
static int fits(int pe, const struct gda_answer *answer,
		const struct gda_bases *theirs)
{
	const unsigned int mine = gda_memory_chunk_log2();

	if (answer->n_chunks == gda_memory_chunks() &&
	    theirs->chunk_log2 == mine &&
	    theirs->atomics >= (uint32_t)gda_memory_atomics())
		return 0;
	shmemi_log_error(
		"PE %d on %s shows its memory to NICs in another way: "
		"%llu pieces of 2^%u bytes, atomics %u; expected %zu "
		"of 2^%u, %u, by one SHMEM_GDA_REGION and like NICs",
		pe, shmemi.peers[pe].host, (unsigned long long)answer->n_chunks,
		theirs->chunk_log2, theirs->atomics, gda_memory_chunks(), mine,
		(unsigned int)gda_memory_atomics());
	return -EPROTO;
}

/* For kernels: the table of keys lies behind the addresses. */
static int tell(struct known *known, const struct keys *keys, size_t n)
{
	struct shmemd_gda_remote remote;
	struct shmemd_gda_key *table;
	size_t at = 0;
	int rc;

	known->kernels = gda_pool_device(sizeof(remote) + n * sizeof(*table),
					 CACHE_LINE_BYTES);
	if (!known->kernels)
		return -ENOMEM;
	table = (struct shmemd_gda_key *)(known->kernels + 1);
	for (int span = 0; span < SHMEMD_GDA_SYMMETRIC; span++) {
		remote.base[span] = keys->bases.base[span];
		remote.keys[span] = table + at;
		at += gda_memory_span_chunks(span);
	}
	rc = shmemg->copy(table, keys->key, n * sizeof(*table));
	if (!rc)
		rc = shmemg->copy(known->kernels, &remote, sizeof(remote));
	return rc;
}

static int learn(int pe, const struct gda_answer *answer, struct known **known)
{
	const size_t n = gda_memory_chunks();
	const size_t shown = answer->n_chunks < n ? answer->n_chunks : n;
	struct keys *keys = malloc(keys_bytes(n));
	int rc = -ENOMEM;

	*known = calloc(1, sizeof(**known));
	if (keys && *known)
		rc = gda_call_fetch(pe, answer->keys, keys, keys_bytes(shown));
	if (!rc)
		rc = fits(pe, answer, &keys->bases);
	if (!rc)
		rc = tell(*known, keys, n);
	if (rc)
		free(*known);
	free(keys);
	return rc;
}

int gda_remote_get(int pe, const struct gda_answer *answer,
		   const struct shmemd_gda_remote **remote)
{
	struct known *known = remotes.known[pe];
	int rc = 0;

	while (known && known->nic != answer->nic)
		known = known->next;
	if (!known) {
		rc = learn(pe, answer, &known);
		if (rc)
			return rc;
		known->nic = answer->nic;
		known->next = remotes.known[pe];
		remotes.known[pe] = known;
	}
	*remote = known->kernels;
	return 0;
}
