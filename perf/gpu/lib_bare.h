/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The limit: kernels that do by hand, for this one use, what the library does
 * for all uses. Nothing is checked or looked up but a peer's address.
 */
#include "lib_cuda.h"

#define LIB_NAME "bare"
#define LIB_MAX_PES 16
#define LIB_PACKETS 65536 /* of a pair */

struct lib_shared {
	cudaIpcMemHandle_t handle[LIB_MAX_PES];
};

static struct lib_shared *lib_shared;
static char *lib_heap, *lib_top;
static __constant__ char *lib_peer[LIB_MAX_PES];

/* The heap begins with packets and flags, which the kernels below share. */
#define LIB_FLAGS ((size_t)2 * LIB_MAX_PES * LIB_PACKETS * 16)
#define LIB_FIRST (LIB_FLAGS + 65536)

/* bench.c: of each of its two buffers. */
static size_t buffer_bytes(int n_pes);

static void lib_open(int argc, char **argv)
{
	char *peer[LIB_MAX_PES] = { NULL };
	size_t heap_bytes;

	lib_shared = (struct lib_shared *)lib_fork(argc, argv,
						   sizeof(*lib_shared));
	heap_bytes = LIB_FIRST + 2 * buffer_bytes(lib_n_pes) + 4096;
	lib_must(cudaMalloc((void **)&lib_heap, heap_bytes), "malloc");
	lib_must(cudaMemset(lib_heap, 0, heap_bytes), "memset");
	lib_must(cudaDeviceSynchronize(), "memset");
	lib_must(cudaIpcGetMemHandle(&lib_shared->handle[lib_me], lib_heap),
		 "export");
	lib_meet();
	for (int pe = 0; pe < lib_n_pes; pe++) {
		if (pe == lib_me)
			peer[pe] = lib_heap;
		else
			lib_must(cudaIpcOpenMemHandle(
					 (void **)&peer[pe],
					 lib_shared->handle[pe],
					 cudaIpcMemLazyEnablePeerAccess),
				 "import");
	}
	lib_must(cudaMemcpyToSymbol(lib_peer, peer, sizeof(peer)), "symbol");
	lib_top = lib_heap + LIB_FIRST;
	lib_meet();
}

static void *lib_alloc(size_t bytes)
{
	char *p = lib_top;

	lib_top += (bytes + 255) / 256 * 256;
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
	lib_join();
}

static __device__ __forceinline__ char *lib_at(const void *addr, int me, int pe)
{
	return lib_peer[pe] + ((const char *)addr - lib_peer[me]);
}

static __device__ __forceinline__ void lib_store(void *p, uint64_t value)
{
	asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(p), "l"(value)
		     : "memory");
}

static __device__ __forceinline__ uint64_t lib_load(const void *p)
{
	uint64_t value;

	asm volatile("ld.acquire.sys.global.u64 %0, [%1];"
		     : "=l"(value) : "l"(p) : "memory");
	return value;
}

static __device__ __forceinline__ void lib_wait(const long *ivar, long value)
{
	while (lib_load(ivar) != (uint64_t)value)
		;
}

#define lib_p(dst, value, pe) lib_store(lib_at(dst, a->me, pe), value)
#define lib_fetch_add(dst, value, pe) \
	atomicAdd((unsigned long long *)lib_at(dst, a->me, pe), value)

static __device__ __forceinline__ void lib_copy(char *dst, const char *src,
						size_t bytes)
{
	const uint4 *s = (const uint4 *)src;
	uint4 *d = (uint4 *)dst;
	size_t n = bytes / 16, step = blockDim.x, i = threadIdx.x;

	for (; i + 3 * step < n; i += 4 * step) {
		uint4 v0 = s[i], v1 = s[i + step], v2 = s[i + 2 * step],
		      v3 = s[i + 3 * step];

		d[i] = v0;
		d[i + step] = v1;
		d[i + 2 * step] = v2;
		d[i + 3 * step] = v3;
	}
	for (; i < n; i += step)
		d[i] = s[i];
	if (threadIdx.x < bytes % 16 / 8)
		((uint64_t *)dst)[bytes / 8 - 1] =
			((const uint64_t *)src)[bytes / 8 - 1];
}

#define lib_put(dst, src, bytes, pe) \
	lib_copy(lib_at(dst, a->me, pe), src, bytes)
#define lib_quiet() __threadfence_system()

/* The payload of a flag that is one store: sent by the one who stores it. */
static __device__ __forceinline__ void lib_send_with(char *dst, const char *src,
						     size_t bytes, void *sig,
						     uint64_t value)
{
	lib_copy(dst, src, bytes);
	__syncthreads();
	if (!threadIdx.x) {
		__threadfence_system();
		lib_store(sig, value);
	}
}
#define lib_put_signal(dst, src, bytes, sig, value, pe) \
	lib_send_with(lib_at(dst, a->me, pe), src, bytes, \
		      lib_at(sig, a->me, pe), value)

static __device__ void lib_signal_wait(uint64_t *sig, uint64_t value)
{
	if (!threadIdx.x)
		while (lib_load(sig) != value)
			;
	__syncthreads();
}

/* By one item, the same. */
#define lib_word_signal(dst, src, sig, value, pe) \
	lib_put_signal(dst, src, 8, sig, value, pe)
#define lib_word_wait lib_signal_wait

/* Each kernel below takes its turn's number from the iteration. */
static __device__ void lib_meet_all(const struct bench_args *a, long turn)
{
	char *mine = lib_peer[a->me] + LIB_FLAGS;

	__syncthreads();
	if (threadIdx.x < a->n_pes) {
		__threadfence_system();
		lib_store(lib_peer[threadIdx.x] + LIB_FLAGS + a->me * 64,
			  (uint64_t)turn);
		while (lib_load(mine + threadIdx.x * 64) < (uint64_t)turn)
			;
	}
	__syncthreads();
}
#define lib_barrier_wg() lib_meet_all(a, a->from + i + 1)

static __device__ void lib_send(uint4 *to, uint64_t data, unsigned int flag)
{
	asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %2};" ::"l"(
			     to),
		     "r"((unsigned int)data), "r"(flag),
		     "r"((unsigned int)(data >> 32))
		     : "memory");
}

static __device__ uint64_t lib_receive(const uint4 *from, unsigned int flag)
{
	uint4 v;

	do
		asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
			     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
			     : "l"(from) : "memory");
	while (v.y != flag || v.w != flag);
	return (uint64_t)v.z << 32 | v.x;
}

static __device__ void lib_packets(const struct bench_args *a, long turn)
{
	size_t n = a->bytes / 8, half = (size_t)(turn & 1) * LIB_MAX_PES;
	const uint64_t *src = (const uint64_t *)a->src;
	uint64_t *dst = (uint64_t *)a->dst;
	unsigned int flag = (unsigned int)turn;

	for (size_t i = threadIdx.x; i < n * a->n_pes; i += blockDim.x)
		lib_send((uint4 *)lib_peer[i / n] +
				 (half + a->me) * LIB_PACKETS + i % n,
			 src[i], flag);
	for (size_t i = threadIdx.x; i < n * a->n_pes; i += blockDim.x)
		dst[i] = lib_receive((const uint4 *)lib_peer[a->me] +
					     (half + i / n) * LIB_PACKETS +
					     i % n,
				     flag);
	__syncthreads();
}

/* Every work-group pushes a part to all; the flags count work-groups. */
static __device__ void lib_push(const struct bench_args *a, long turn)
{
	size_t part = (a->bytes / gridDim.x + 15) / 16 * 16;
	size_t begin = part * blockIdx.x, end = begin + part;
	char *flags = lib_peer[a->me] + LIB_FLAGS + 4096;

	if (end > a->bytes)
		end = a->bytes;
	for (int k = 0; begin < end && k < a->n_pes; k++) {
		int pe = (a->me + k) % a->n_pes;

		lib_copy(lib_at(a->dst, a->me, pe) + a->me * a->bytes + begin,
			 a->src + pe * a->bytes + begin, end - begin);
	}
	__syncthreads();
	if (threadIdx.x < a->n_pes) {
		__threadfence_system();
		atomicAdd_system((unsigned long long *)(lib_peer[threadIdx.x] +
							LIB_FLAGS + 4096 +
							a->me * 64),
				 1ull);
		while (lib_load(flags + threadIdx.x * 64) <
		       (uint64_t)turn * gridDim.x)
			;
	}
	__syncthreads();
}
#define lib_alltoall(dst, src, bytes) lib_packets(a, a->from + i + 1)
#define LIB_GRID
#define lib_alltoall_grid(dst, src, bytes) lib_push(a, i + 1)

static void lib_reset(void)
{
	lib_must(cudaMemset(lib_heap + LIB_FLAGS + 4096, 0, 4096), "memset");
	lib_must(cudaDeviceSynchronize(), "memset");
}
