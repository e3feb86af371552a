/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/fork.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/copy.h"
#include "base/log.h"

/*
 * The handlers' own state may lie in the very region, so the child reads it
 * before it moves anything.
 */
static struct {
	char *base;
	size_t bytes;
	int done[2]; /* EOF on it: the child has its copy, or is dead */
	pthread_mutex_t one;
} fork_state = { .one = PTHREAD_MUTEX_INITIALIZER };

static void before(void)
{
	pthread_mutex_lock(&fork_state.one);
	if (pipe2(fork_state.done, O_CLOEXEC))
		fork_state.done[0] = fork_state.done[1] = -1;
}

static void after_parent(void)
{
	char c;

	close(fork_state.done[1]);
	while (read(fork_state.done[0], &c, 1) < 0 && errno == EINTR)
		;
	close(fork_state.done[0]);
	pthread_mutex_unlock(&fork_state.one);
}

static void after_child(void)
{
	size_t bytes = fork_state.bytes;
	char *base = fork_state.base;
	char *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (copy == MAP_FAILED) {
		shmemi_log_error("can't copy %zu bytes of static data for a "
				 "forked child: %s", bytes, strerror(errno));
		_exit(127);
	}
	shmemi_copy_sparse(copy, base, bytes);
	mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, base);
	close(fork_state.done[0]);
	close(fork_state.done[1]);
	pthread_mutex_init(&fork_state.one, NULL);
}

int shmemi_fork_protect(char *base, size_t bytes)
{
	fork_state.base = base;
	fork_state.bytes = bytes;
	return -pthread_atfork(before, after_parent, after_child);
}
