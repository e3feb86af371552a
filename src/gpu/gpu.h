/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Platforms: what runs kernels, and its memory, streams and launches.
 *
 * A platform is a table of the rows below. `cpu` is always there: its kernels
 * are C functions, its work-items fibers, its streams queues of ours. `hip` is
 * AMD's GPUs; the same file, its calls mapped by one header, is `cuda`. One is
 * chosen at init and stays for the process. Every row returns 0 or a negative
 * errno and logs why it failed, with the object; its caller does not.
 * Rows may be called from several threads at once unless said otherwise.
 */
#ifndef SHMEMG_GPU_H
#define SHMEMG_GPU_H

#include <stddef.h>
#include <stdint.h>

/* A hipStream_t or cudaStream_t; of `cpu`, its own. NULL is the default. */
typedef void *shmemg_stream;
typedef void *shmemg_event;
typedef void *shmemg_graph;

#define SHMEMG_BLOB_BYTES 80

struct shmemg_info {
	char name[64];
	char bus[24]; /* PCI address, "" for cpu */
	size_t memory_bytes;
	int device;	   /* of count */
	int wave_size;	   /* work-items of a wave */
	int n_units;	   /* compute units, multiprocessors or cores */
	int max_wg_items;  /* largest work-group */
	int host_access;   /* the host loads and stores device memory */
	int host_atomics;  /* kernels' on host memory mix with all others' */
	const char *memory; /* the kind of memory that mem_alloc gives */
};

/* A kernel that takes one struct by value. */
struct shmemg_kernel {
	const char *name;
	void (*cpu)(const void *args); /* run by every work-item */
	const void *gpu;	       /* what hipLaunchKernel takes, or NULL */
};

/*
 * count       Devices of this platform; 0 without an error line if there are
 *             none, with the reason in *why, a static string.
 * open        Takes the device for this process; once before all below.
 *             mem_alloc's kind of memory is chosen here by a self-test of its
 *             coherence; a kind that fails is named in a line.
 * close       All that was made is given back before.
 * info        Facts of the open device.
 *
 * peer_atomics  Whether kernels' atomics on memory of the device at this PCI
 *             address mix with those of its own kernels. -1: it can't be told.
 *
 * mem_alloc   Device memory that peers on the node and NICs see coherently,
 *             all zero, aligned to 2 MiB at least.
 * mem_export  What a peer on this node needs for mem_import.
 * mem_import  Maps a peer's memory of mem_alloc; mem_forget undoes it.
 * mem_dmabuf  A file descriptor that a NIC can register, and the offset of p
 *             in it. -EOPNOTSUPP, silently, where there is no such thing.
 * host_alloc  Pinned host memory, zero, that kernels load and store at the same
 *             address.
 * host_register  Lets kernels use host memory, at the same address.
 * io_register Lets kernels use memory of the process that belongs to another
 *             device, such as registers of a NIC, whole pages; kernels is where
 *             they see it. host_unregister undoes it.
 * is_device   1: the host may not load p itself (it is device memory).
 *             Needs no cleanup and logs nothing; 0 for any other address.
 *
 * copy, fill  Between any two kinds of memory; complete on return, and after
 *             all that was put on no stream (they don't wait for streams).
 * copy_async, fill_async  In the order of the stream.
 *
 * stream_...  Ordered queues. stream_query: 0 when all is done, -EAGAIN not.
 * streams_sync  Waits for all that is on any stream of this process.
 * event_...   record marks a place in a stream; stream_wait makes another
 *             stream wait for it; event_ns is the time between two.
 * capture_... From begin to end, work put on the stream goes into the graph
 *             instead; graph_launch puts it on a stream, as often as wanted.
 *
 * launch      n_wgs work-groups of n_items work-items, in the order of the
 *             stream. bytes of args are copied at the call. All work-groups
 *             must fit on the device at once if they wait for each other.
 * max_wgs     How many work-groups of n_items of this kernel fit at once.
 * module_symbol  Where a variable of a module (hipModule_t, CUmodule) lies, and
 *             its size. -ENOENT, silently, if there is none of this name;
 *             -EOPNOTSUPP, silently, where there are no modules.
 */
#define SHMEMG_OPS(OP) \
	OP(count, (int *n, const char **why)) \
	OP(open, (int device)) \
	OP(close, (void)) \
	OP(info, (struct shmemg_info *info)) \
	OP(peer_atomics, (const char *bus)) \
	OP(mem_alloc, (size_t bytes, void **p)) \
	OP(mem_free, (void *p)) \
	OP(mem_export, (void *p, size_t bytes, void *blob)) \
	OP(mem_import, (const void *blob, size_t bytes, void **p)) \
	OP(mem_forget, (void *p, size_t bytes)) \
	OP(mem_dmabuf, (void *p, size_t bytes, int *fd, size_t *offset)) \
	OP(host_alloc, (size_t bytes, void **p)) \
	OP(host_free, (void *p)) \
	OP(host_register, (void *p, size_t bytes)) \
	OP(host_unregister, (void *p)) \
	OP(io_register, (void *p, size_t bytes, void **kernels)) \
	OP(is_device, (const void *p)) \
	OP(copy, (void *dst, const void *src, size_t bytes)) \
	OP(fill, (void *dst, int byte, size_t bytes)) \
	OP(copy_async, \
	   (void *dst, const void *src, size_t bytes, shmemg_stream stream)) \
	OP(fill_async, \
	   (void *dst, int byte, size_t bytes, shmemg_stream stream)) \
	OP(stream_create, (shmemg_stream *stream)) \
	OP(stream_destroy, (shmemg_stream stream)) \
	OP(stream_sync, (shmemg_stream stream)) \
	OP(stream_query, (shmemg_stream stream)) \
	OP(streams_sync, (void)) \
	OP(stream_wait, (shmemg_stream stream, shmemg_event event)) \
	OP(event_create, (shmemg_event *event)) \
	OP(event_destroy, (shmemg_event event)) \
	OP(event_record, (shmemg_event event, shmemg_stream stream)) \
	OP(event_sync, (shmemg_event event)) \
	OP(event_ns, \
	   (shmemg_event from, shmemg_event to, uint64_t *ns)) \
	OP(capture_begin, (shmemg_stream stream)) \
	OP(capture_end, (shmemg_stream stream, shmemg_graph *graph)) \
	OP(graph_launch, (shmemg_graph graph, shmemg_stream stream)) \
	OP(graph_destroy, (shmemg_graph graph)) \
	OP(launch, \
	   (const struct shmemg_kernel *kernel, int n_wgs, int n_items, \
	    const void *args, size_t bytes, shmemg_stream stream)) \
	OP(max_wgs, \
	   (const struct shmemg_kernel *kernel, int n_items, int *n_wgs)) \
	OP(module_symbol, \
	   (void *module, const char *name, void **p, size_t *bytes))

struct shmemg_platform {
	const char *name; /* the word of SHMEM_PLATFORM */
#define SHMEMG_MEMBER(name, params) int(*name) params;
	SHMEMG_OPS(SHMEMG_MEMBER)
#undef SHMEMG_MEMBER
};

extern const struct shmemg_platform shmemg_cpu;
#ifdef SIROCCO_GPU_PLATFORM
extern const struct shmemg_platform SIROCCO_GPU_PLATFORM; /* shmemg_hip/cuda */
#endif

/*
 * The platform of this process, between open and close. word: "auto" takes the
 * GPU platform if it has a device, else cpu; another word is a platform's name.
 * device -1 takes local_rank modulo the devices there are. 0 or a negative
 * errno; a platform that was not built in or has no device is named with the
 * reason, and what there is.
 */
extern const struct shmemg_platform *shmemg;
extern struct shmemg_info shmemg_device;
int shmemg_open(const char *word, int device, int local_rank);
void shmemg_close(void);

#endif
