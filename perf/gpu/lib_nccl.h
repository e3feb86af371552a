/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NCCL: what it does on a stream, one rank a GPU. With --register the buffers
 * are its own, and windows where it has them, which may be copied by engines
 * (NCCL_CTA_POLICY=2); without, as programs usually have them.
 */
#define LIB_NAME "nccl"
#define LIB_NO_KERNELS
#define LIB_ON_STREAM

#include "lib_cuda.h"

#include <nccl.h>

struct lib_shared {
	volatile int ready;
	ncclUniqueId id;
};

static ncclComm_t lib_comm;
static int lib_registers;

static void lib_nccl(ncclResult_t rc, const char *what)
{
	if (!rc)
		return;
	fprintf(stderr, "rank %d: %s: %s\n", lib_me, what,
		ncclGetErrorString(rc));
	_exit(1);
}

static void lib_open(int argc, char **argv)
{
	struct lib_shared *shared =
		(struct lib_shared *)lib_fork(argc, argv, sizeof(*shared));
	ncclUniqueId id;

	for (int i = 1; i < argc; i++)
		lib_registers |= !strcmp(argv[i], "--register");
	if (!lib_me) {
		lib_nccl(ncclGetUniqueId(&id), "a communicator's name");
		shared->id = id;
		__sync_synchronize();
		shared->ready = 1;
	}
	while (!shared->ready)
		usleep(100);
	id = shared->id;
	lib_nccl(ncclCommInitRank(&lib_comm, lib_n_pes, id, lib_me),
		 "a communicator");
	lib_must(cudaStreamCreateWithFlags(&lib_stream, cudaStreamNonBlocking),
		 "stream");
}

static void lib_register(void *p, size_t bytes)
{
#ifdef NCCL_WIN_COLL_SYMMETRIC
	ncclWindow_t window;

	lib_nccl(ncclCommWindowRegister(lib_comm, p, bytes, &window,
					NCCL_WIN_COLL_SYMMETRIC),
		 "window");
#else
	void *handle;

	lib_nccl(ncclCommRegister(lib_comm, p, bytes, &handle), "register");
#endif
}

static void *lib_alloc(size_t bytes)
{
	void *p;

	if (lib_registers) {
		lib_nccl(ncclMemAlloc(&p, bytes), "malloc");
		lib_register(p, bytes);
	} else {
		lib_must(cudaMalloc(&p, bytes), "malloc");
	}
	lib_must(cudaMemset(p, 0, bytes), "memset");
	lib_must(cudaDeviceSynchronize(), "memset");
	return p;
}

static void lib_barrier(void)
{
	lib_must(cudaDeviceSynchronize(), "kernel");
	lib_meet();
}

static void lib_close(void)
{
	lib_barrier();
	lib_nccl(ncclCommDestroy(lib_comm), "end");
	lib_join();
}

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
static void lib_alltoall_on_stream(void *dst, const void *src, size_t bytes)
{
	lib_nccl(ncclAlltoAll(src, dst, bytes, ncclInt8, lib_comm, lib_stream),
		 "alltoall");
}
#else
static void lib_alltoall_on_stream(void *dst, const void *src, size_t bytes)
{
	ncclGroupStart();
	for (int pe = 0; pe < lib_n_pes; pe++) {
		lib_nccl(ncclSend((const char *)src + (size_t)pe * bytes, bytes,
				  ncclInt8, pe, lib_comm, lib_stream),
			 "send");
		lib_nccl(ncclRecv((char *)dst + (size_t)pe * bytes, bytes,
				  ncclInt8, pe, lib_comm, lib_stream),
			 "receive");
	}
	lib_nccl(ncclGroupEnd(), "alltoall");
}
#endif
