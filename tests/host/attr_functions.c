/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shmemx_init_attr with the caller's own allgather and barrier, here over
 * shared memory and a process-shared barrier; its abort is called, without a
 * message from shmem_global_exit; functions that fail make init fail.
 */
#include "attr.h"
#include <pthread.h>

#define MAX_BYTES 65536

static struct board {
	pthread_barrier_t meet;
	int fail;
	int aborted;
	int messages;
	char all[8][MAX_BYTES];
} *board;

struct who {
	int pe, n_pes;
};

static int my_barrier(void *arg)
{
	(void)arg;
	if (board->fail)
		return 5;
	pthread_barrier_wait(&board->meet);
	return 0;
}

static int my_allgather(const void *src, void *dst, size_t bytes, void *arg)
{
	const struct who *who = arg;

	if (board->fail || bytes > MAX_BYTES)
		return -1;
	memcpy(board->all[who->pe], src, bytes);
	pthread_barrier_wait(&board->meet);
	for (int pe = 0; pe < who->n_pes; pe++)
		memcpy((char *)dst + (size_t)pe * bytes, board->all[pe],
		       bytes);
	pthread_barrier_wait(&board->meet);
	return 0;
}

static void my_abort(int status, const char *msg, void *arg)
{
	(void)arg;
	if (msg)
		__atomic_add_fetch(&board->messages, 1, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&board->aborted, 1, __ATOMIC_SEQ_CST);
	_exit(status);
}

static int open_functions(int pe, int n)
{
	static struct who who;
	shmemx_init_attr_t attr = {
		.size_bytes = sizeof(attr),
		.kind = SHMEMX_INIT_FUNCTIONS,
		.pe = pe,
		.n_pes = n,
		.allgather = my_allgather,
		.barrier = my_barrier,
		.abort = my_abort,
		.arg = &who,
	};

	who = (struct who){ pe, n };
	return shmemx_init_attr(SHMEM_THREAD_SINGLE, NULL, &attr);
}

static void works_body(int pe, int n)
{
	CHECK_EQ(open_functions(pe, n), 0);
	attr_use(pe, n);
	shmem_finalize();
	CHECK_EQ(open_functions(pe, n), 0);
	attr_use(pe, n);
	shmem_finalize();
}

static void abort_body(int pe, int n)
{
	CHECK_EQ(open_functions(pe, n), 0);
	attr_use(pe, n);
	if (pe == 0)
		shmem_global_exit(31);
	/* Nobody ends this PE but itself. */
	_exit(0);
}

static void fail_body(int pe, int n)
{
	int up = -1;

	CHECK(open_functions(pe, n) != 0);
	shmem_query_initialized(&up);
	CHECK_EQ(up, 0);
}

static int run(int n, void (*body)(int, int))
{
	pthread_barrierattr_t shared;

	pthread_barrierattr_init(&shared);
	pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&board->meet, &shared, (unsigned int)n);
	return attr_run(n, body);
}

int main(void)
{
	board = attr_shared(sizeof(*board));
	for (int n = 1; n <= 8; n *= 2)
		CHECK_EQ(run(n, works_body), 0);
	CHECK_EQ(run(3, abort_body), 31);
	CHECK_EQ(board->aborted, 1);
	CHECK_EQ(board->messages, 0);
	board->fail = 1;
	CHECK_EQ(run(1, fail_body), 0);
	return check_failures != 0;
}
