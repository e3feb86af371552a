/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/smp/smp_region.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/copy.h"
#include "base/log.h"
#include "base/shared.h"

struct smp_blob {
	int32_t pid;
	int32_t fd;
};
_Static_assert(sizeof(struct smp_blob) <= CONDUIT_BLOB_BYTES, "blob");

static int smp_map(const struct conduit_region *region, int fd)
{
	return shmemi_shared_map(region->base, region->bytes, fd, 0);
}

/*
 * Huge pages of the pool are taken at once: with none left later, a touch
 * would end in SIGBUS.
 */
static int smp_memfd_huge(const struct conduit_region *region)
{
	int fd = shmemi_shared_create(region->bytes, MFD_HUGETLB);

	if (fd < 0)
		return fd;
	if (!fallocate(fd, 0, 0, (off_t)region->bytes))
		return fd;

	int rc = -errno;

	close(fd);
	return rc;
}

/*
 * Pages come from the owner's memory, whoever touches them first. The policy
 * belongs to the file, so peers' mappings have it too. A kernel without NUMA
 * refuses, and has nothing to choose.
 */
static void smp_prefer_own_node(const struct conduit_region *region)
{
	unsigned long mask[16] = { 0 };
	const unsigned int bits = 8 * sizeof(*mask);
	unsigned int node;

	if (syscall(SYS_getcpu, NULL, &node, NULL) ||
	    node >= bits * sizeof(mask) / sizeof(*mask))
		return;
	mask[node / bits] = 1ul << node % bits;
	syscall(SYS_mbind, region->base, region->bytes, MPOL_PREFERRED, mask,
		8 * sizeof(mask), 0);
}

int smp_region_alloc(struct conduit_region *region)
{
	int fd = region->huge == 1 ? smp_memfd_huge(region) :
				     shmemi_shared_create(region->bytes, 0);
	int rc;

	if (fd < 0) {
		shmemi_log_error("can't get %zu bytes of %sshared memory: %s",
				 region->bytes,
				 region->huge == 1 ? "huge-page " : "",
				 strerror(-fd));
		return fd;
	}
	rc = smp_map(region, fd);
	if (rc) {
		shmemi_log_error("can't map %zu bytes of shared memory: %s",
				 region->bytes, strerror(-rc));
		close(fd);
		return rc;
	}
	smp_prefer_own_node(region);
	if (region->huge == -1)
		madvise(region->base, region->bytes, MADV_HUGEPAGE);
	region->handle = fd;
	return 0;
}

int smp_region_adopt(struct conduit_region *region)
{
	int fd = shmemi_shared_create(region->bytes, 0);
	int rc = fd;
	void *copy;

	if (fd < 0)
		goto fail;
	copy = mmap(NULL, region->bytes, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (copy == MAP_FAILED) {
		rc = -errno;
		goto close_fd;
	}
	shmemi_copy_sparse(copy, region->base, region->bytes);
	rc = shmemi_shared_move(copy, region->bytes, region->base);
	if (rc) {
		munmap(copy, region->bytes);
		goto close_fd;
	}
	region->handle = fd;
	return 0;

close_fd:
	close(fd);
fail:
	shmemi_log_error("can't share %zu bytes of static data: %s",
			 region->bytes, strerror(-rc));
	return rc;
}

/* The addresses stay reserved. */
static int smp_unmap(const struct conduit_region *region)
{
	void *p = mmap(region->base, region->bytes, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE,
		       -1, 0);
	int rc = p == MAP_FAILED ? -errno : 0;

	if (rc)
		shmemi_log_error("can't unmap %zu bytes of shared memory: %s",
				 region->bytes, strerror(-rc));
	return rc;
}

int smp_region_free(struct conduit_region *region)
{
	close(region->handle);
	region->handle = -1;
	return smp_unmap(region);
}

int smp_region_export(const struct conduit_region *region, void *blob)
{
	const struct smp_blob b = {
		.pid = getpid(),
		.fd = region->handle,
	};

	memcpy(blob, &b, sizeof(b));
	return 0;
}

int smp_region_import(const struct conduit_peer *peer,
		      struct conduit_region *region, const void *blob)
{
	char path[SHMEMI_SHARED_PATH_BYTES];
	struct smp_blob b;
	int fd, rc;

	memcpy(&b, blob, sizeof(b));
	fd = shmemi_shared_open(b.pid, b.fd, path);
	rc = fd < 0 ? fd : smp_map(region, fd);
	if (rc)
		shmemi_log_error("can't map the memory of PE %d on %s, %s: "
				 "%s%s",
				 peer->pe, peer->host, path, strerror(-rc),
				 shmemi_shared_hint(rc));
	if (fd >= 0)
		close(fd);
	return rc;
}

int smp_region_forget(struct conduit_region *region)
{
	return smp_unmap(region);
}
