/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "base/log.h"
#include "host/check.h"
#include "host/moe.h"
#include "host/module.h"

static int invalid(const char *api, const char *what)
{
	shmemi_log_error("%s: %s", api, what);
	return -EINVAL;
}

static int misaligned(const char *api, const char *name, const void *p,
		      size_t align)
{
	if ((uintptr_t)p % align == 0)
		return 0;
	shmemi_log_error("%s: %s is %p, expected a multiple of %zu", api, name,
			 p, align);
	return -EINVAL;
}

/* Of this PE's kernels; NULL is right where `needed` says so. */
static int check_local(const char *api, const char *name, const void *p,
		       size_t align, int needed)
{
	if (p || !needed)
		return misaligned(api, name, p, align);
	shmemi_log_error("%s: %s is NULL", api, name);
	return -EINVAL;
}

/* Peers' kernels would write to or read from anywhere else. */
static int check_symmetric(const char *api, const char *name, const void *p,
			   size_t bytes, size_t align)
{
	size_t offset;
	int seg = shmemi_locate(p, &offset);

	if (!p)
		return check_local(api, name, p, align, 1);
	if (seg < 0)
		shmemi_fatal("%s: %s is %p, expected an address in the "
			     "symmetric heap or a global variable of the "
			     "program",
			     api, name, p);
	if (seg != CONDUIT_DEVICE &&
	    !(shmemi.peers[shmemi.me].registered & 1u << seg))
		shmemi_fatal("%s: %s is %p, in host memory that the device "
			     "can't touch",
			     api, name, p);
	shmemi_check_sym(api, name, p, bytes);
	return misaligned(api, name, p, align);
}

static int check_layout(const char *api, struct shmemx_moe *moe,
			struct shmemx_moe_layout *layout, int reads)
{
	if (!moe)
		return invalid(api, "moe is NULL");
	if (!layout)
		return invalid(api, "layout is NULL");
	if (layout->moe != moe)
		return invalid(api, "layout is of another handle than moe");
	if (reads && !layout->filled)
		return invalid(api, "no dispatch has filled the layout");
	if (!moe->lacks_recv)
		return 0;
	shmemi_log_error("%s: moe has an exchange that lacks its recv: %s", api,
			 moe->call.api);
	return -EBUSY;
}

/* What all exchanges begin with. */
static int begin(const char *api, struct shmemx_moe *moe,
		 struct shmemx_moe_layout *layout, int reads,
		 shmemx_stream_t stream, struct shmemi_moe_call *call)
{
	int rc;

	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	shmemi_modules_retry();
	rc = check_layout(api, moe, layout, reads);
	if (rc)
		return rc;
	*call = (struct shmemi_moe_call){
		.api = api,
		.moe = moe,
		.layout = layout,
		.stream = stream,
		.args = { .moe = moe->device,
			  .layout = layout->device,
			  .n_tokens = layout->n_tokens },
	};
	return 0;
}

/* What goes to or comes from all members, and may not be elsewhere. */
static int check_rows(const char *api, const struct shmemx_moe *moe,
		      const char *name, const void *rows, int of_dispatch)
{
	const struct shmemx_moe_sizes *sizes = &moe->plan.sizes;

	return check_symmetric(
		api, name, rows,
		of_dispatch ? sizes->dispatch_bytes : sizes->combine_bytes, 16);
}

static int check_scales(const char *api, const struct shmemx_moe *moe,
			const float *scales)
{
	size_t bytes = moe->plan.sizes.scales_bytes;

	if (bytes)
		return check_symmetric(api, "scales", scales, bytes, 16);
	if (!scales)
		return 0;
	shmemi_log_error("%s: scales is %p, expected NULL without quantisation",
			 api, (const void *)scales);
	return -EINVAL;
}

static int check_n_tokens(const char *api, const struct shmemi_moe_call *call,
			  const void *ids, size_t n_tokens)
{
	size_t most = call->moe->plan.config.max_tokens;

	if (!ids && n_tokens != call->layout->n_tokens) {
		shmemi_log_error("%s: n_tokens is %zu, expected %u, those of "
				 "the layout, as ids is NULL",
				 api, n_tokens, call->layout->n_tokens);
		return -EINVAL;
	}
	if (n_tokens <= most)
		return 0;
	shmemi_log_error("%s: n_tokens is %zu, expected 0 to %zu", api,
			 n_tokens, most);
	return -EINVAL;
}

static int check_dispatch(const struct shmemi_moe_call *call, const void *x,
			  const void *ids, size_t n_tokens, void *rows,
			  float *scales)
{
	int rc = check_n_tokens(call->api, call, ids, n_tokens);

	if (!rc)
		rc = check_local(call->api, "x", x, 16, n_tokens > 0);
	if (!rc)
		rc = check_local(call->api, "ids", ids,
				 call->moe->plan.config.id_bytes, 0);
	if (!rc)
		rc = check_rows(call->api, call->moe, "rows", rows, 1);
	return rc ? rc : check_scales(call->api, call->moe, scales);
}

/* What a call is of an exchange. */
enum half { WHOLE, SEND };

/* After a half the handle has an exchange that lacks its recv. */
static int send(struct shmemi_moe_call *call, enum half half,
		enum shmemi_moe_exchange exchange)
{
	int rc;

	call->exchange = exchange;
	if (half == WHOLE)
		return shmemi_moe_whole(call);
	rc = shmemi_moe_send(call);
	if (rc)
		return rc;
	call->moe->call = *call;
	call->moe->lacks_recv = 1;
	return 0;
}

static int recv(const char *api, struct shmemx_moe *moe,
		enum shmemi_moe_exchange exchange, shmemx_stream_t stream)
{
	struct shmemi_moe_call *call;

	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	if (!moe)
		return invalid(api, "moe is NULL");
	call = &moe->call;
	if (!moe->lacks_recv || call->exchange != exchange)
		return invalid(api, "moe has no send that lacks this recv");
	call->api = api;
	call->stream = stream;
	moe->lacks_recv = 0;
	return shmemi_moe_recv(call);
}

static int dispatch(const char *api, enum half half, shmemx_moe_t moe,
		    shmemx_moe_layout_t layout, const void *x, const void *ids,
		    size_t n_tokens, void *rows, float *scales,
		    shmemx_stream_t stream)
{
	struct shmemi_moe_call call;
	int rc = begin(api, moe, layout, !ids, stream, &call);

	if (!rc)
		rc = check_dispatch(&call, x, ids, n_tokens, rows, scales);
	if (rc)
		return rc;
	call.args.x = x;
	call.args.ids = ids;
	call.args.n_tokens = (uint32_t)n_tokens;
	call.args.quant = moe->plan.config.quant;
	call.args.dispatches = 1;
	call.args.rows = rows;
	call.args.scales = scales;
	layout->n_tokens = (uint32_t)n_tokens;
	layout->filled = 1;
	return send(&call, half, SHMEMI_MOE_DISPATCH);
}

/* combine, and dispatch_backward, which is one without weights. */
static int combine(const char *api, enum half half,
		   enum shmemi_moe_exchange exchange, shmemx_moe_t moe,
		   shmemx_moe_layout_t layout, const void *rows,
		   const float *weights, void *out, shmemx_stream_t stream)
{
	const int back = exchange == SHMEMI_MOE_DISPATCH_BACKWARD;
	struct shmemi_moe_call call;
	int rc = begin(api, moe, layout, 1, stream, &call);

	if (!rc)
		rc = check_rows(api, moe, back ? "grad_rows" : "rows", rows, 0);
	if (!rc)
		rc = check_local(api, "weights", weights, sizeof(float), 0);
	if (!rc)
		rc = check_local(api, back ? "grad_x" : "out", out, 16,
				 layout->n_tokens > 0);
	if (rc)
		return rc;
	call.args.rows = (void *)rows;
	call.args.weights = weights;
	call.args.out = out;
	return send(&call, half, exchange);
}

static int check_grads(const struct shmemi_moe_call *call, const void *grad_out,
		       const void *rows, const float *weights, void *grad_rows,
		       const float *grad_weights)
{
	const char *api = call->api;
	const int any = call->layout->n_tokens > 0;
	int rc = check_local(api, "grad_out", grad_out, 16, any);

	if (!rc && rows)
		rc = check_rows(api, call->moe, "rows", rows, 0);
	if (!rc)
		rc = check_local(api, "weights", weights, sizeof(float), 0);
	if (!rc)
		rc = check_rows(api, call->moe, "grad_rows", grad_rows, 0);
	if (!rc)
		rc = check_local(api, "grad_weights", grad_weights,
				 sizeof(float), rows && any);
	if (!rc && rows == grad_rows)
		rc = invalid(api, "grad_rows is rows, expected other memory");
	if (!rc && !rows && grad_weights)
		rc = invalid(api, "rows is NULL, but grad_weights is not");
	return rc;
}

static int combine_backward(const char *api, enum half half, shmemx_moe_t moe,
			    shmemx_moe_layout_t layout, const void *grad_out,
			    const void *rows, const float *weights,
			    void *grad_rows, float *grad_weights,
			    shmemx_stream_t stream)
{
	struct shmemi_moe_call call;
	int rc = begin(api, moe, layout, 1, stream, &call);

	if (!rc)
		rc = check_grads(&call, grad_out, rows, weights, grad_rows,
				 grad_weights);
	if (rc)
		return rc;
	call.args.x = grad_out;
	call.args.rows = grad_rows;
	call.args.pulled = rows;
	call.args.pulls = rows != NULL;
	call.args.weights = weights;
	call.args.grad_weights = grad_weights;
	return send(&call, half, SHMEMI_MOE_COMBINE_BACKWARD);
}

int shmemx_moe_dispatch_send(shmemx_moe_t moe, shmemx_moe_layout_t layout,
			     const void *x, const void *ids, size_t n_tokens,
			     void *rows, float *scales, shmemx_stream_t stream)
{
	return dispatch(__func__, SEND, moe, layout, x, ids, n_tokens, rows,
			scales, stream);
}

int shmemx_moe_dispatch_recv(shmemx_moe_t moe, shmemx_stream_t stream)
{
	return recv(__func__, moe, SHMEMI_MOE_DISPATCH, stream);
}

int shmemx_moe_dispatch(shmemx_moe_t moe, shmemx_moe_layout_t layout,
			const void *x, const void *ids, size_t n_tokens,
			void *rows, float *scales, shmemx_stream_t stream)
{
	return dispatch(__func__, WHOLE, moe, layout, x, ids, n_tokens, rows,
			scales, stream);
}

int shmemx_moe_combine_send(shmemx_moe_t moe, shmemx_moe_layout_t layout,
			    const void *rows, const float *weights, void *out,
			    shmemx_stream_t stream)
{
	return combine(__func__, SEND, SHMEMI_MOE_COMBINE, moe, layout, rows,
		       weights, out, stream);
}

int shmemx_moe_combine_recv(shmemx_moe_t moe, shmemx_stream_t stream)
{
	return recv(__func__, moe, SHMEMI_MOE_COMBINE, stream);
}

int shmemx_moe_combine(shmemx_moe_t moe, shmemx_moe_layout_t layout,
		       const void *rows, const float *weights, void *out,
		       shmemx_stream_t stream)
{
	return combine(__func__, WHOLE, SHMEMI_MOE_COMBINE, moe, layout, rows,
		       weights, out, stream);
}

int shmemx_moe_dispatch_backward_send(shmemx_moe_t moe,
				      shmemx_moe_layout_t layout,
				      const void *grad_rows, void *grad_x,
				      shmemx_stream_t stream)
{
	return combine(__func__, SEND, SHMEMI_MOE_DISPATCH_BACKWARD, moe,
		       layout, grad_rows, NULL, grad_x, stream);
}

int shmemx_moe_dispatch_backward_recv(shmemx_moe_t moe, shmemx_stream_t stream)
{
	return recv(__func__, moe, SHMEMI_MOE_DISPATCH_BACKWARD, stream);
}

int shmemx_moe_dispatch_backward(shmemx_moe_t moe, shmemx_moe_layout_t layout,
				 const void *grad_rows, void *grad_x,
				 shmemx_stream_t stream)
{
	return combine(__func__, WHOLE, SHMEMI_MOE_DISPATCH_BACKWARD, moe,
		       layout, grad_rows, NULL, grad_x, stream);
}

int shmemx_moe_combine_backward_send(shmemx_moe_t moe,
				     shmemx_moe_layout_t layout,
				     const void *grad_out, const void *rows,
				     const float *weights, void *grad_rows,
				     float *grad_weights,
				     shmemx_stream_t stream)
{
	return combine_backward(__func__, SEND, moe, layout, grad_out, rows,
				weights, grad_rows, grad_weights, stream);
}

int shmemx_moe_combine_backward_recv(shmemx_moe_t moe, shmemx_stream_t stream)
{
	return recv(__func__, moe, SHMEMI_MOE_COMBINE_BACKWARD, stream);
}

int shmemx_moe_combine_backward(shmemx_moe_t moe, shmemx_moe_layout_t layout,
				const void *grad_out, const void *rows,
				const float *weights, void *grad_rows,
				float *grad_weights, shmemx_stream_t stream)
{
	return combine_backward(__func__, WHOLE, moe, layout, grad_out, rows,
				weights, grad_rows, grad_weights, stream);
}
