/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/fork.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/copy.h"
#include "base/log.h"
#include "base/shared.h"

/*
 * The handlers' own state may lie in the very region, so the child reads it
 * before it moves anything.
 */
static struct {
	struct conduit_region region; /* bytes 0: nothing to protect */
	struct stat file;	      /* behind region.handle */
	int done[2]; /* EOF on it: the child has its copy, or is dead */
	pthread_mutex_t one;
} fork_state = { .done = { -1, -1 }, .one = PTHREAD_MUTEX_INITIALIZER };

static void before(void)
{
	pthread_mutex_lock(&fork_state.one);
	if (!fork_state.region.bytes)
		return;
	if (pipe2(fork_state.done, O_CLOEXEC)) {
		shmemi_log_error("fork does not wait for the child's copy of "
				 "static data: %s",
				 strerror(errno));
		fork_state.done[0] = fork_state.done[1] = -1;
	}
}

static void close_pipe(int end)
{
	if (fork_state.done[end] >= 0)
		close(fork_state.done[end]);
	fork_state.done[end] = -1;
}

static void after_parent(void)
{
	char c;

	close_pipe(1);
	if (fork_state.done[0] >= 0)
		while (read(fork_state.done[0], &c, 1) < 0 && errno == EINTR)
			;
	close_pipe(0);
	pthread_mutex_unlock(&fork_state.one);
}

static _Noreturn void give_up(size_t bytes)
{
	shmemi_log_error("can't copy %zu bytes of static data for a forked "
			 "child: %s",
			 bytes, strerror(errno));
	_exit(127);
}

/* Programs close all descriptors, and open others under their numbers. */
static int has_file(int fd)
{
	struct stat now;

	return !fstat(fd, &now) && now.st_ino == fork_state.file.st_ino &&
	       now.st_dev == fork_state.file.st_dev;
}

/* A page that was never touched is a hole, and to read it would fill it. */
static void copy_touched(char *copy, const struct conduit_region *region)
{
	off_t end = (off_t)region->bytes, at = 0;

	if (!has_file(region->handle)) {
		shmemi_copy_sparse(copy, region->base, region->bytes);
		return;
	}
	while (at < end && (at = lseek(region->handle, at, SEEK_DATA)) >= 0) {
		off_t hole = lseek(region->handle, at, SEEK_HOLE);

		if (hole < 0 || hole > end)
			hole = end;
		shmemi_copy_sparse(copy + at, region->base + at,
				   (size_t)(hole - at));
		at = hole;
	}
}

static void make_private(const struct conduit_region *region)
{
	char *copy = mmap(NULL, region->bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (copy == MAP_FAILED)
		give_up(region->bytes);
	copy_touched(copy, region);
	if (shmemi_shared_move(copy, region->bytes, region->base))
		give_up(region->bytes);
}

/* What the child forks in turn has copies of its pages without our help. */
static void after_child(void)
{
	const struct conduit_region region = fork_state.region;

	if (region.bytes)
		make_private(&region);
	fork_state.region.bytes = 0;
	close_pipe(0);
	close_pipe(1);
	pthread_mutex_init(&fork_state.one, NULL);
}

/*
 * Child handlers run in the order of their registration, and those of the
 * program write to its data: so before the program's own constructors.
 */
__attribute__((constructor)) static void watch(void)
{
	int rc = pthread_atfork(before, after_parent, after_child);

	if (rc)
		shmemi_log_error("can't watch for fork: %s", strerror(rc));
}

void shmemi_fork_protect(const struct conduit_region *region)
{
	fstat(region->handle, &fork_state.file);
	fork_state.region = *region;
}
