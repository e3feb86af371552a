/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The least that a conduit is: copy this directory, replace "template" and
 * fill what is marked (###). Until then its table promises RMA, every row of
 * it fails loudly, and probe sends nobody here.
 */
#include <errno.h>

#include "conduits/conduit.h"
#include "base/log.h"

/* (###) Delete with the last hole. */
static int template_hole(const char *row)
{
	shmemi_log_error("conduit template: row %s is not written", row);
	return -ENOSYS;
}

/* (###) The score for a peer's segment; 0 is "does not reach it". */
static int template_probe(const struct conduit_peer *peer,
			  enum conduit_segment seg)
{
	(void)peer, (void)seg;
	return 0;
}

/* (###) Find the device, make queues. */
static int template_open(struct conduit *conduit)
{
	(void)conduit;
	return template_hole("open");
}

static int template_close(struct conduit *conduit)
{
	(void)conduit;
	return template_hole("close");
}

/*
 * (###) Endpoints come from connect and hold what a put needs to know. One of
 * the network has queues too: publish, queue_open, queue_close, fence, quiet
 * and progress, behind CONDUIT_CAP_NET.
 */
static int template_connect(const struct conduit_peer *peer,
			    const struct conduit_region *regions,
			    const void *card, struct conduit_ep **ep)
{
	(void)peer, (void)regions, (void)card, (void)ep;
	return template_hole("connect");
}

static int template_disconnect(struct conduit_ep *ep)
{
	(void)ep;
	return template_hole("disconnect");
}

static int template_put(struct conduit_queue *q, struct conduit_ep *ep,
			enum conduit_segment seg, size_t offset,
			const void *src, size_t bytes, int flags)
{
	(void)q, (void)ep, (void)seg, (void)offset, (void)src, (void)bytes;
	(void)flags;
	return template_hole("put");
}

static int template_get(struct conduit_queue *q, struct conduit_ep *ep,
			void *dst, enum conduit_segment seg, size_t offset,
			size_t bytes, int flags)
{
	(void)q, (void)ep, (void)dst, (void)seg, (void)offset, (void)bytes;
	(void)flags;
	return template_hole("get");
}

static int template_put_signal(struct conduit_queue *q, struct conduit_ep *ep,
			       enum conduit_segment seg, size_t offset,
			       const void *src, size_t bytes,
			       enum conduit_segment sig_seg, size_t sig_offset,
			       uint64_t signal, enum conduit_amo op, int flags)
{
	(void)q, (void)ep, (void)seg, (void)offset, (void)src, (void)bytes;
	(void)sig_seg, (void)sig_offset, (void)signal, (void)op, (void)flags;
	return template_hole("put_signal");
}

/* (###) One bit per group of rows that is there; see conduit.h. */
extern const struct conduit conduit_template;
const struct conduit conduit_template = {
	.name = "template",
	.caps = CONDUIT_CAP_RMA,
	.ops = {
		.probe = template_probe,
		.open = template_open,
		.close = template_close,
		.connect = template_connect,
		.disconnect = template_disconnect,
		.put = template_put,
		.get = template_get,
		.put_signal = template_put_signal,
	},
};
