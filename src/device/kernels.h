/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels that the library launches itself. kernels.inc holds their bodies,
 * once; kernels_cpu.c and kernels_gpu.hip compile it for each platform.
 *
 * Addresses in arguments are those at which the kernel loads and stores, but in
 * collectives, whose dest and source are this PE's symmetric addresses.
 */
#ifndef SHMEMD_KERNELS_H
#define SHMEMD_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * coherence: item 0 polls until *flag is value, at most so many times, and then
 * stores reply to *answer; if the value never comes it stores nothing. With
 * value already there it is the side that only stores. No block is needed.
 */
struct shmemd_args_coherence {
	const uint64_t *flag;
	uint64_t *answer;
	uint64_t value, reply;
	uint64_t polls;
};

/* amo: one atomic of enum shmemd_amo; the value before to *old, unless NULL. */
struct shmemd_args_amo {
	void *at;
	uint64_t *old;
	uint64_t operand, cond;
	uint32_t op;
	uint32_t bytes; /* 4 or 8 */
};

/*
 * signal: stores or adds value, after all that was on the stream before.
 * put_signal: one work-group copies bytes before it. at is where the peer's
 * word is found, sig this PE's address of it.
 */
struct shmemd_args_signal {
	void *dst;
	const void *src;
	size_t bytes;
	uint64_t *at;
	uint64_t *sig;
	uint64_t value;
	int32_t sig_op; /* SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD */
	int32_t pe;
};

/*
 * far_put, far_get, far_put_signal: with a far PE (far.h); one work-item.
 * dest, source and sig are this PE's addresses. All is done at the end. touches
 * is 1 if the kernel may load and store the local end itself.
 */
struct shmemd_args_far {
	void *dest;
	const void *source;
	size_t bytes;
	uint64_t *sig;
	uint64_t value;
	int32_t sig_op;
	int32_t pe;
	uint32_t touches;
};

/* wait: until *at compares. */
struct shmemd_args_wait {
	const void *at;
	uint64_t value; /* sign-extended if is_signed */
	int32_t cmp;	/* SHMEM_CMP_* */
	uint32_t bytes; /* 4 or 8 */
	int32_t is_signed;
};

/*
 * order: shmem_quiet, or shmem_fence. gda_quiet: of all contexts' queues of
 * NICs, by one work-group.
 */
struct shmemd_args_order {
	uint32_t fence_only;
};

/* What a reduction does. */
enum shmemd_reduce {
	SHMEMD_REDUCE_and,
	SHMEMD_REDUCE_or,
	SHMEMD_REDUCE_xor,
	SHMEMD_REDUCE_max,
	SHMEMD_REDUCE_min,
	SHMEMD_REDUCE_sum,
	SHMEMD_REDUCE_prod,
	SHMEMD_REDUCE_inscan,
	SHMEMD_REDUCE_exscan
};

/*
 * sync, alltoall to fcollect, reduce_*: a collective over a team, by one
 * work-group or by the whole grid. All members' are by the grid, of any size,
 * or none.
 */
struct shmemd_args_coll {
	uintptr_t team; /* a shmem_team_t */
	void *dest;
	const void *source;
	size_t nelems;
	ptrdiff_t dst, sst; /* alltoalls */
	uint32_t esize;
	int32_t root;  /* broadcast */
	uint32_t op;   /* reduce: enum shmemd_reduce; sync: 1 for a barrier */
	uint32_t grid; /* by the grid, as it is on all members */
};

/*
 * alltoallv, alltoallv_2d: as the routines of these names in kernels, by one
 * work-group or by the grid, as it is on all members.
 */
struct shmemd_args_alltoallv {
	uintptr_t team; /* a shmem_team_t */
	void *dest;
	const size_t *dest_nelems, *dest_offsets;
	const void *source;
	const size_t *source_nelems, *source_offsets;
	uint32_t esize;
	uint32_t grid;
};

struct shmemd_args_alltoallv_2d {
	uintptr_t team;
	void *dest;
	const void *source;
	size_t row_bytes, n_local, align, dest_rows;
	const size_t *in_counts;
	const size_t *in_offsets; /* of alltoallv_2d_offset, else NULL */
	size_t *out_counts, *out_offsets;
	uint32_t grid;
	uint32_t unused;
};

/*
 * The types that reductions differ by. What wraps around or goes bit by bit is
 * the same for signed integers as for unsigned ones, whose kernels do it.
 */
#define SHMEMD_REDUCE_REAL(K) K(float) K(double)
#define SHMEMD_REDUCE_UNSIGNED(K) K(uint8) K(uint16) K(uint32) K(uint64)
#define SHMEMD_REDUCE_SIGNED(K) K(int8) K(int16) K(int32) K(int64)

/* K(name, args): kernel shmemd_kernel_<name> of struct shmemd_args_<args>. */
#define SHMEMD_KERNELS(K) \
	K(coherence, coherence) \
	K(amo, amo) \
	K(signal, signal) \
	K(put_signal, signal) \
	K(far_put, far) \
	K(far_get, far) \
	K(far_put_signal, far) \
	K(wait, wait) \
	K(order, order) \
	K(gda_quiet, order) \
	K(sync, coll) \
	K(alltoall, coll) \
	K(alltoalls, coll) \
	K(broadcast, coll) \
	K(collect, coll) \
	K(fcollect, coll) \
	K(alltoallv, alltoallv) \
	K(alltoallv_2d, alltoallv_2d) \
	K(reduce_float, coll) \
	K(reduce_double, coll) \
	K(reduce_int8, coll) \
	K(reduce_int16, coll) \
	K(reduce_int32, coll) \
	K(reduce_int64, coll) \
	K(reduce_uint8, coll) \
	K(reduce_uint16, coll) \
	K(reduce_uint32, coll) \
	K(reduce_uint64, coll)

#define SHMEMD_ENUM(name, args) SHMEMD_KERNEL_##name,
enum shmemd_kernel { SHMEMD_KERNELS(SHMEMD_ENUM) SHMEMD_NKERNELS };
#undef SHMEMD_ENUM

struct shmemg_kernel;
#define SHMEMD_EXTERN(name, args) \
	extern const struct shmemg_kernel shmemd_kernel_##name;
SHMEMD_KERNELS(SHMEMD_EXTERN)
#undef SHMEMD_EXTERN

/* All of them, by enum shmemd_kernel. */
extern const struct shmemg_kernel *const shmemd_kernels[SHMEMD_NKERNELS];

/*
 * By the host: whether a completion lies there that no item has taken off the
 * queue. What a NIC has completed is known to a queue only when an item looks,
 * which may be much later. copy is of the queue, and is written to; nothing is
 * taken off, and no NIC is told how far this looked, as ionic's would be.
 */
struct shmemd_gda_queue;
int shmemd_gda_completes(struct shmemd_gda_queue *copy);

#ifdef __cplusplus
}
#endif

#endif
