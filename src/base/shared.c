/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int shmemi_shared_create(size_t bytes, unsigned int flags)
{
	int fd = memfd_create("sirocco", MFD_CLOEXEC | flags);
	int rc;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)bytes)) {
		rc = -errno;
		close(fd);
		return rc;
	}
	return fd;
}

int shmemi_shared_map(void *at, size_t bytes, int fd, off_t offset)
{
	void *p = mmap(at, bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, offset);

	return p == MAP_FAILED ? -errno : 0;
}

/* Not by mremap(): UCX patches libc's and loses the new address. */
int shmemi_shared_move(void *from, size_t bytes, void *to)
{
	long at = syscall(SYS_mremap, from, bytes, bytes,
			  MREMAP_MAYMOVE | MREMAP_FIXED, to);

	return at < 0 ? -errno : 0;
}

int shmemi_shared_open(int pid, int fd, char path[SHMEMI_SHARED_PATH_BYTES])
{
	int mine;

	snprintf(path, SHMEMI_SHARED_PATH_BYTES, "/proc/%d/fd/%d", pid, fd);
	mine = open(path, O_RDWR | O_CLOEXEC);
	return mine < 0 ? -errno : mine;
}

const char *shmemi_shared_hint(int rc)
{
	return rc == -EACCES || rc == -EPERM ?
		       " (another user's process, or one that is not "
		       "dumpable: proc(5))" :
		       "";
}
