/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib_cuda.h"

#include <nvshmem.h>
#include <nvshmemx.h>

struct lib_shared {
	volatile int ready;
	nvshmemx_uniqueid_t id;
};

#define LIB_NAME "nvshmem"

static void lib_open(int argc, char **argv)
{
	struct lib_shared *shared =
		(struct lib_shared *)lib_fork(argc, argv, sizeof(*shared));
	nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
	nvshmemx_init_attr_t attr = NVSHMEMX_INIT_ATTR_INITIALIZER;

	if (!lib_me) {
		nvshmemx_get_uniqueid(&id);
		shared->id = id;
		__sync_synchronize();
		shared->ready = 1;
	}
	while (!shared->ready)
		usleep(100);
	id = shared->id;
	nvshmemx_set_attr_uniqueid_args(lib_me, lib_n_pes, &id, &attr);
	if (nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attr))
		_exit(1);
}

static void *lib_alloc(size_t bytes)
{
	void *p = nvshmem_malloc(bytes);

	lib_must(cudaMemset(p, 0, bytes), "memset");
	lib_must(cudaDeviceSynchronize(), "memset");
	return p;
}

static void lib_barrier(void)
{
	lib_must(cudaDeviceSynchronize(), "kernel");
	nvshmem_barrier_all();
}

#define lib_reset() ((void)0)

static void lib_close(void)
{
	lib_barrier();
	nvshmem_finalize();
	lib_join();
}

#define lib_p(dst, value, pe) nvshmem_long_p(dst, value, pe)
#define lib_wait(ivar, value) \
	nvshmem_long_wait_until(ivar, NVSHMEM_CMP_EQ, value)
#define lib_fetch_add(dst, value, pe) \
	nvshmem_long_atomic_fetch_add(dst, value, pe)
#define lib_put_signal(dst, src, bytes, sig, value, pe) \
	nvshmemx_putmem_signal_nbi_block(dst, src, bytes, sig, value, \
					 NVSHMEM_SIGNAL_SET, pe)
#define lib_put(dst, src, bytes, pe) \
	nvshmemx_putmem_nbi_block(dst, src, bytes, pe)
#define lib_quiet() nvshmem_quiet()
#define lib_barrier_wg() nvshmemx_barrier_all_block()
#define lib_alltoall(dst, src, bytes) \
	nvshmemx_int8_alltoall_block(NVSHMEM_TEAM_WORLD, (int8_t *)(dst), \
				     (const int8_t *)(src), bytes)

#define lib_word_signal(dst, src, sig, value, pe) \
	nvshmem_putmem_signal_nbi(dst, src, 8, sig, value, \
				  NVSHMEM_SIGNAL_SET, pe)
#define lib_word_wait(sig, value) \
	nvshmem_signal_wait_until(sig, NVSHMEM_CMP_EQ, value)

static __device__ void lib_signal_wait(uint64_t *sig, uint64_t value)
{
	if (!threadIdx.x)
		nvshmem_signal_wait_until(sig, NVSHMEM_CMP_EQ, value);
	__syncthreads();
}

#define LIB_ON_STREAM
#define lib_alltoall_on_stream(dst, src, bytes) \
	nvshmemx_int8_alltoall_on_stream(NVSHMEM_TEAM_WORLD, (int8_t *)(dst), \
					 (const int8_t *)(src), bytes, 0)
#define lib_barrier_on_stream() nvshmemx_barrier_all_on_stream(0)
