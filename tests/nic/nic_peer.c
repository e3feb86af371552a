/* SPDX-License-Identifier: BSD-3-Clause */
#include "nic_impl.h"

#define SEEN_NS 10000000 /* how long a process is taken for alive */

static int process_there(struct nic_qp *qp, const struct nic_shared_qp *peer)
{
	const uint64_t now = nic_now_ns();

	if (qp->seen_ns && now - qp->seen_ns < SEEN_NS)
		return 1;
	if (!nic_alive(peer->pid))
		return 0;
	qp->seen_ns = now;
	return 1;
}

static void agree(const struct nic_qp *qp, const char *what, uint32_t mine,
		  uint32_t theirs)
{
	if (mine != theirs)
		nic_refuse("QP %#x and the one it is connected to, %#x, differ "
			   "in %s: %#x and %#x",
			   qp->ibv.qp_num, qp->attr.dest_qp_num, what, mine,
			   theirs);
}

/* What both sides were told when they were connected. */
static void check(const struct nic_qp *qp, const struct nic_shared_qp *peer)
{
	const struct ibv_qp_attr *attr = &qp->attr;

	agree(qp, "who is connected to whom", qp->ibv.qp_num, peer->dest);
	agree(qp, "the first packet's number", attr->sq_psn, peer->rq_psn);
	agree(qp, "the path's MTU", attr->path_mtu, peer->mtu);
	agree(qp, "the version of RoCE", attr->ah_attr.grh.sgid_index & 1,
	      peer->gid_index & 1);
	if (attr->max_rd_atomic > peer->max_dest_reads)
		nic_refuse("QP %#x has up to %u reads under way, but QP %#x "
			   "takes %u",
			   qp->ibv.qp_num, attr->max_rd_atomic,
			   attr->dest_qp_num, peer->max_dest_reads);
}

int nic_peer_ready(struct nic_qp *qp)
{
	const struct nic_shared_qp *peer =
		nic_shared_qp_find(qp->attr.dest_qp_num);
	uint32_t state;

	if (!peer || peer->down || qp->context->device->port_down)
		return 0;
	state = __atomic_load_n(&peer->state, __ATOMIC_ACQUIRE);
	if ((state != IBV_QPS_RTR && state != IBV_QPS_RTS) ||
	    !process_there(qp, peer))
		return 0;
	check(qp, peer);
	return 1;
}
