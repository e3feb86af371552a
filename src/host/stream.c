/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/stream.h"

#include <string.h>

#include "base/log.h"
#include "host/buffer.h"
#include "host/check.h"
#include "host/ctx.h"
#include "host/module.h"
#include "host/move.h"

/* A payload that one work-group moves sooner than a copy and a kernel do. */
#define PUT_SIGNAL_BYTES 32768
#define PUT_SIGNAL_ITEMS 256
#define PUT_SIGNAL_ITEMS_CPU 32

/* What these routines return is nothing: a platform that fails ends the job. */
static void must(const char *api, int rc)
{
	if (rc)
		shmemi_fatal("%s: the stream did not take it: %s",
			     shmemi_api(api), strerror(-rc));
}

/*
 * Where copies and kernels find the peer's object; NULL: the PE is far.
 * Ends the job if it is not symmetric.
 */
static void *reach(const char *api, const void *addr, int pe)
{
	void *p = shmemi_mapped(addr, pe);
	size_t offset;

	if (!p)
		p = shmemi_direct(addr, pe);
	if (unlikely(!p) && shmemi_locate(addr, &offset) < 0)
		shmemi_not_symmetric(api, addr, pe);
	return p;
}

/* The same for a kernel, which sees host memory only if it was registered. */
static void *reach_by_kernel(const char *api, const char *name,
			     const void *addr, int pe)
{
	size_t offset;
	int seg = shmemi_locate(addr, &offset);
	void *p = reach(api, addr, pe);

	if (p && seg != CONDUIT_DEVICE &&
	    !(shmemi.peers[pe].registered & 1u << seg))
		shmemi_fatal("%s: %s is %p, in host memory that the device "
			     "can't touch",
			     shmemi_api(api), name, addr);
	return p;
}

/* The local end, which the stream will touch when nobody can be told. */
static void check_local(const char *api, const char *name, const void *local,
			size_t bytes)
{
	if (shmemi.guard & SHMEMI_GUARD_CHECK && bytes && !local)
		shmemi_fatal("%s: %s is NULL, expected %zu bytes",
			     shmemi_api(api), name, bytes);
}

/* Whether a kernel may load and store at p for certain. */
static int kernel_touches(const void *p)
{
	size_t offset;
	int seg = shmemi_locate(p, &offset);

	return shmemg == &shmemg_cpu || shmemg->is_device(p) ||
	       (seg >= 0 && shmemi.peers[shmemi.me].registered & 1u << seg) ||
	       shmemi_buffer_holds(p);
}

/* A kernel of one work-item. */
static void launch_item(const char *api, const struct shmemg_kernel *kernel,
			const void *args, size_t bytes, shmemx_stream_t stream)
{
	must(api, shmemg->launch(kernel, 1, 1, args, bytes, stream));
}

/* What a kernel hands to the proxy, so that graphs do it again. */
static void launch_far(const char *api, const struct shmemg_kernel *kernel,
		       struct shmemd_args_far args, const void *local,
		       shmemx_stream_t stream)
{
	args.touches = (uint32_t)kernel_touches(local);
	launch_item(api, kernel, &args, sizeof(args), stream);
}

static void put(const char *api, void *dest, const void *source, size_t bytes,
		int pe, shmemx_stream_t stream)
{
	const struct shmemd_args_far far = {
		.dest = dest,
		.source = source,
		.bytes = bytes,
		.pe = pe,
	};
	void *to = reach(api, dest, pe);

	if (to)
		must(api, shmemg->copy_async(to, source, bytes, stream));
	else
		launch_far(api, &shmemd_kernel_far_put, far, source, stream);
}

static void get(const char *api, void *dest, const void *source, size_t bytes,
		int pe, shmemx_stream_t stream)
{
	const struct shmemd_args_far far = {
		.dest = dest,
		.source = source,
		.bytes = bytes,
		.pe = pe,
	};
	const void *from = reach(api, source, pe);

	if (from)
		must(api, shmemg->copy_async(dest, from, bytes, stream));
	else
		launch_far(api, &shmemd_kernel_far_get, far, dest, stream);
}

void shmemi_stream_put(const char *api, void *dest, const void *source,
		       size_t nelems, size_t esize, int pe,
		       shmemx_stream_t stream)
{
	size_t bytes = nelems * esize;

	shmemi_modules_retry();
	if (unlikely(shmemi.guard)) {
		shmemi_check_rma(api, SHMEM_CTX_DEFAULT, "dest", dest, source,
				 nelems, esize, pe);
		check_local(api, "source", source, bytes);
	}
	if (bytes)
		put(api, dest, source, bytes, pe, stream);
}

void shmemi_stream_get(const char *api, void *dest, const void *source,
		       size_t nelems, size_t esize, int pe,
		       shmemx_stream_t stream)
{
	size_t bytes = nelems * esize;

	shmemi_modules_retry();
	if (unlikely(shmemi.guard)) {
		shmemi_check_rma(api, SHMEM_CTX_DEFAULT, "source", source, dest,
				 nelems, esize, pe);
		check_local(api, "dest", dest, bytes);
	}
	if (bytes)
		get(api, dest, source, bytes, pe, stream);
}

static void check_sig_op(const char *api, int sig_op)
{
	if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD)
		shmemi_fatal("%s: sig_op is %d, expected SHMEM_SIGNAL_SET or "
			     "SHMEM_SIGNAL_ADD",
			     shmemi_api(api), sig_op);
}

static void put_signal(const char *api, const struct shmemd_args_signal *args,
		       shmemx_stream_t stream)
{
	int items =
		shmemg == &shmemg_cpu ? PUT_SIGNAL_ITEMS_CPU : PUT_SIGNAL_ITEMS;

	if (!args->bytes || args->bytes > PUT_SIGNAL_BYTES ||
	    !kernel_touches(args->src) || !kernel_touches(args->dst)) {
		if (args->bytes)
			must(api, shmemg->copy_async(args->dst, args->src,
						     args->bytes, stream));
		launch_item(api, &shmemd_kernel_signal, args, sizeof(*args),
			    stream);
		return;
	}
	must(api, shmemg->launch(&shmemd_kernel_put_signal, 1, items, args,
				 sizeof(*args), stream));
}

void shmemi_stream_put_signal(const char *api, void *dest, const void *source,
			      size_t nelems, size_t esize, uint64_t *sig_addr,
			      uint64_t signal, int sig_op, int pe,
			      shmemx_stream_t stream)
{
	const size_t bytes = nelems * esize;
	const struct shmemd_args_far far = {
		.dest = dest,
		.source = source,
		.bytes = bytes,
		.sig = sig_addr,
		.value = signal,
		.sig_op = sig_op,
		.pe = pe,
	};
	struct shmemd_args_signal near = {
		.src = source,
		.bytes = bytes,
		.sig = sig_addr,
		.value = signal,
		.sig_op = sig_op,
		.pe = pe,
	};

	shmemi_modules_retry();
	check_sig_op(api, sig_op);
	if (unlikely(shmemi.guard)) {
		shmemi_check_rma(api, SHMEM_CTX_DEFAULT, "dest", dest, source,
				 nelems, esize, pe);
		check_local(api, "source", source, bytes);
		shmemi_check_amo(api, SHMEM_CTX_DEFAULT, "sig_addr", sig_addr,
				 sizeof(*sig_addr), pe);
	}
	near.at = reach_by_kernel(api, "sig_addr", sig_addr, pe);
	near.dst = bytes ? reach(api, dest, pe) : NULL;
	if (near.at && (near.dst || !bytes))
		put_signal(api, &near, stream);
	else
		launch_far(api, &shmemd_kernel_far_put_signal, far, source,
			   stream);
}

static void update(const char *api, uint64_t *sig_addr, uint64_t signal,
		   int sig_op, int pe, shmemx_stream_t stream)
{
	shmemi_stream_put_signal(api, NULL, NULL, 0, 1, sig_addr, signal,
				 sig_op, pe, stream);
}

void shmemx_signal_add_on_stream(uint64_t *sig_addr, uint64_t signal, int pe,
				 shmemx_stream_t stream)
{
	update(__func__, sig_addr, signal, SHMEM_SIGNAL_ADD, pe, stream);
}

void shmemx_signal_set_on_stream(uint64_t *sig_addr, uint64_t signal, int pe,
				 shmemx_stream_t stream)
{
	update(__func__, sig_addr, signal, SHMEM_SIGNAL_SET, pe, stream);
}

void shmemi_stream_wait(const char *api, const void *ivar, size_t bytes,
			int is_signed, int cmp, uint64_t value,
			shmemx_stream_t stream)
{
	struct shmemd_args_wait args = {
		.value = value,
		.cmp = cmp,
		.bytes = (uint32_t)bytes,
		.is_signed = is_signed,
	};

	shmemi_modules_retry();
	if (unlikely(shmemi.guard)) {
		shmemi_check_sym(api, "ivar", ivar, bytes);
		shmemi_check_cmp(api, cmp);
	}
	args.at = reach_by_kernel(api, "ivar", ivar, shmemi.me);
	launch_item(api, &shmemd_kernel_wait, &args, sizeof(args), stream);
}

void shmemx_signal_wait_until_on_stream(uint64_t *sig_addr, int cmp,
					uint64_t cmp_value,
					shmemx_stream_t stream)
{
	shmemi_stream_wait(__func__, sig_addr, sizeof(*sig_addr), 0, cmp,
			   cmp_value, stream);
}

static void order(const char *api, int fence_only, shmemx_stream_t stream)
{
	struct shmemd_args_order args = { .fence_only = (uint32_t)fence_only };

	shmemi_modules_retry();
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	launch_item(api, &shmemd_kernel_order, &args, sizeof(args), stream);
}

void shmemx_quiet_on_stream(shmemx_stream_t stream)
{
	order(__func__, 0, stream);
}

void shmemx_fence_on_stream(shmemx_stream_t stream)
{
	order(__func__, 1, stream);
}
