/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands before the library's exchanges, and lets one token of PE 1 go wrong in
 * that which SPOIL names: it takes the row or the weights of another.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>
#include <shmem/moe.h>

/* Elements of a row and choices of a token by default, in bytes of FP32. */
enum { ROW_BYTES = 128 * 4, CHOICE_BYTES = 2 * 4 };

static void *original(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* Where the wrong array begins; it has one more token than is told. */
static const void *shift(const char *what, const void *p, size_t bytes)
{
	const char *spoil = getenv("SPOIL");

	if (!spoil || strcmp(spoil, what) || shmem_my_pe() != 1)
		return p;
	return (const char *)p + bytes;
}

int shmemx_moe_dispatch_send(shmemx_moe_t moe, shmemx_moe_layout_t layout,
			     const void *x, const void *ids, size_t n_tokens,
			     void *rows, float *scales, shmemx_stream_t stream)
{
	int (*send)(shmemx_moe_t, shmemx_moe_layout_t, const void *,
		    const void *, size_t, void *, float *, shmemx_stream_t) =
		original("shmemx_moe_dispatch_send");

	return send(moe, layout, shift("dispatch", x, ROW_BYTES), ids, n_tokens,
		    rows, scales, stream);
}

int shmemx_moe_combine_send(shmemx_moe_t moe, shmemx_moe_layout_t layout,
			    const void *rows, const float *weights, void *out,
			    shmemx_stream_t stream)
{
	int (*send)(shmemx_moe_t, shmemx_moe_layout_t, const void *,
		    const float *, void *, shmemx_stream_t) =
		original("shmemx_moe_combine_send");

	return send(moe, layout, rows, shift("combine", weights, CHOICE_BYTES),
		    out, stream);
}

int shmemx_moe_combine_backward_send(shmemx_moe_t moe,
				     shmemx_moe_layout_t layout,
				     const void *grad_out, const void *rows,
				     const float *weights, void *grad_rows,
				     float *grad_weights,
				     shmemx_stream_t stream)
{
	int (*send)(shmemx_moe_t, shmemx_moe_layout_t, const void *,
		    const void *, const float *, void *, float *,
		    shmemx_stream_t) =
		original("shmemx_moe_combine_backward_send");

	return send(moe, layout, shift("combine_back", grad_out, ROW_BYTES),
		    rows, weights, grad_rows, grad_weights, stream);
}

int shmemx_moe_dispatch_backward_send(shmemx_moe_t moe,
				      shmemx_moe_layout_t layout,
				      const void *grad_rows, void *grad_x,
				      shmemx_stream_t stream)
{
	int (*send)(shmemx_moe_t, shmemx_moe_layout_t, const void *, void *,
		    shmemx_stream_t) =
		original("shmemx_moe_dispatch_backward_send");

	if (shift("dispatch_back", NULL, 1)) {
		shmemx_stream_synchronize(stream);
		memset((void *)grad_rows, 0, ROW_BYTES);
	}
	return send(moe, layout, grad_rows, grad_x, stream);
}
