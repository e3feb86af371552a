/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "gpu/gpu.h"
#include "host/shmemi.h"

/* Relaxed ordering is left out: a signal must not overtake its data. */
#define ACCESS_LOCAL IBV_ACCESS_LOCAL_WRITE
#define ACCESS_DATA \
	(ACCESS_LOCAL | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)
#define ACCESS_ATOMIC (ACCESS_LOCAL | IBV_ACCESS_REMOTE_ATOMIC)
#define ACCESS_ALL (ACCESS_DATA | ACCESS_ATOMIC)

/* One way to register a region, and the NIC that it failed at. */
struct way {
	int fd; /* of a dmabuf, -1: by address */
	size_t offset;
	const struct gda_nic *nic;
};

static size_t chunk_bytes(const struct gda_region *r, size_t at)
{
	const size_t chunk = (size_t)1 << r->chunk_log2;

	return r->bytes - at < chunk ? r->bytes - at : chunk;
}

static struct ibv_mr *mr_open(const struct gda_region *r, const struct way *way,
			      size_t at, int access)
{
	const size_t bytes = chunk_bytes(r, at);

	if (way->fd < 0)
		return gda_ibv.reg_mr(way->nic->pd, r->base + at, bytes,
				      access);
	return gda_ibv.reg_dmabuf_mr(way->nic->pd, way->offset + at, bytes,
				     (uintptr_t)r->base + at, way->fd, access);
}

static int plain_open(const struct gda_region *r, const struct way *way,
		      size_t at, struct gda_mrs *mrs, int access)
{
	errno = 0;
	mrs->rma = mr_open(r, way, at, access);
	if (mrs->rma)
		return 0;
	return errno ? -errno : -EIO;
}

/* A NIC may allow atomics only on memory of their own region, or on none. */
static int remote_open(const struct gda_region *r, const struct way *way,
		       size_t at, struct gda_mrs *mrs)
{
	const int atomics = gda_nic_atomics(way->nic);
	int rc;

	if (atomics && !plain_open(r, way, at, mrs, ACCESS_ALL)) {
		mrs->amo = mrs->rma;
		return 0;
	}
	rc = plain_open(r, way, at, mrs, ACCESS_DATA);
	if (!rc && atomics)
		mrs->amo = mr_open(r, way, at, ACCESS_ATOMIC);
	return rc;
}

static int mrs_open(const struct gda_region *r, const struct way *way,
		    size_t at, struct gda_mrs *mrs)
{
	int rc;

	if (r->is_remote)
		return remote_open(r, way, at, mrs);
	rc = plain_open(r, way, at, mrs, ACCESS_LOCAL);
	mrs->amo = mrs->rma;
	return rc;
}

static void mrs_close(struct gda_region *r)
{
	for (size_t i = 0; i < gda_n_nics * r->n_chunks; i++) {
		struct gda_mrs *mrs = &r->mrs[i];

		if (mrs->amo && mrs->amo != mrs->rma)
			gda_ibv.dereg_mr(mrs->amo);
		if (mrs->rma)
			gda_ibv.dereg_mr(mrs->rma);
		*mrs = (struct gda_mrs){ NULL, NULL };
	}
}

/* With all NICs, or with none. */
static int by(struct gda_region *r, struct way *way)
{
	int rc = 0;

	r->atomics = 1;
	for (unsigned int n = 0; n < gda_n_nics && !rc; n++) {
		way->nic = &gda_nics[n];
		for (size_t c = 0; c < r->n_chunks && !rc; c++) {
			struct gda_mrs *mrs = &r->mrs[n * r->n_chunks + c];

			rc = mrs_open(r, way, c << r->chunk_log2, mrs);
			r->atomics = r->atomics && mrs->amo;
		}
	}
	if (rc)
		mrs_close(r);
	return rc;
}

static int by_address(struct gda_region *r, struct way *way)
{
	way->fd = -1;
	return by(r, way);
}

static int by_dmabuf(struct gda_region *r, struct way *way)
{
	int rc;

	way->nic = NULL;
	rc = shmemg->mem_dmabuf(r->base, r->bytes, &way->fd, &way->offset);
	if (rc)
		return rc;
	rc = by(r, way);
	close(way->fd);
	return rc;
}

static const char *hint(int rc)
{
	return rc == -ENOMEM || rc == -EPERM ?
		       "; is the limit of locked memory (ulimit -l) too low?" :
		       "";
}

static const char *nic_name(const struct way *way)
{
	return way->nic ? way->nic->name : "(no NIC was asked)";
}

static void say_failed(const struct gda_region *r, const struct way *way,
		       int rc, int rc_dmabuf)
{
	if (!r->is_device)
		shmemi_log_error("NIC %s can't register %zu bytes of %s at %p: "
				 "%s%s",
				 nic_name(way), r->bytes, r->what,
				 (void *)r->base, strerror(-rc), hint(rc));
	else if (shmemi.env.gda_dmabuf == SHMEMI_YES)
		shmemi_log_error("NIC %s can't register %zu bytes of %s by a "
				 "dmabuf: %s; SHMEM_GDA_DMABUF=yes allows no "
				 "other way",
				 nic_name(way), r->bytes, r->what,
				 strerror(-rc));
	else
		shmemi_log_error("NIC %s can't register %zu bytes of %s, "
				 "neither by a dmabuf (%s) nor by peer memory "
				 "(%s)",
				 nic_name(way), r->bytes, r->what,
				 rc_dmabuf ? strerror(-rc_dmabuf) :
					     "SHMEM_GDA_DMABUF=no",
				 strerror(-rc));
}

static void say_opened(const struct gda_region *r, int rc_dmabuf)
{
	shmemi_trace(MEM, "NICs know %zu bytes of %s at %p%s%s%s", r->bytes,
		     r->what, (void *)r->base,
		     r->atomics ? "" : ", not for atomics",
		     rc_dmabuf ? ", by peer memory: dmabuf: " : "",
		     rc_dmabuf ? strerror(-rc_dmabuf) : "");
}

static int open_any_way(struct gda_region *r, int quiet)
{
	struct way way = { .fd = -1 };
	int rc = -EOPNOTSUPP, rc_dmabuf = 0;

	if (r->is_device && shmemi.env.gda_dmabuf != SHMEMI_NO)
		rc_dmabuf = rc = by_dmabuf(r, &way);
	if (rc && (!r->is_device || shmemi.env.gda_dmabuf != SHMEMI_YES))
		rc = by_address(r, &way);
	if (!rc)
		say_opened(r, rc_dmabuf);
	else if (!quiet)
		say_failed(r, &way, rc, rc_dmabuf);
	return rc;
}

int gda_region_open(struct gda_region *r, int quiet)
{
	int rc;

	r->n_chunks =
		(r->bytes + ((size_t)1 << r->chunk_log2) - 1) >> r->chunk_log2;
	r->mrs = calloc(gda_n_nics * r->n_chunks + 1, sizeof(*r->mrs));
	if (!r->mrs) {
		shmemi_log_error("out of memory for %zu pieces of %s; is "
				 "SHMEM_GDA_REGION too small?",
				 r->n_chunks, r->what);
		return -ENOMEM;
	}
	rc = r->n_chunks ? open_any_way(r, quiet) : 0;
	if (!r->n_chunks)
		r->atomics = 1;
	if (rc) {
		free(r->mrs);
		r->mrs = NULL;
	}
	return rc;
}

void gda_region_close(struct gda_region *r)
{
	if (r->mrs)
		mrs_close(r);
	free(r->mrs);
	r->mrs = NULL;
}

void gda_region_keys(const struct gda_region *r, struct shmemd_gda_key *keys)
{
	for (size_t i = 0; i < gda_n_nics * r->n_chunks; i++) {
		const struct gda_mrs *mrs = &r->mrs[i];

		keys[i].rma = mrs->rma->lkey;
		keys[i].amo = mrs->amo ? mrs->amo->lkey : 0;
	}
}
