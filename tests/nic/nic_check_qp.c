/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "nic_impl.h"

/* Attributes of a change of state of an RC queue pair: the IB specification. */
struct transition {
	enum ibv_qp_state from, to;
	int required, optional;
};

static const struct transition transitions[] = {
	{ IBV_QPS_RESET, IBV_QPS_INIT,
	  IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, 0 },
	{ IBV_QPS_INIT, IBV_QPS_INIT, 0,
	  IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS },
	{ IBV_QPS_INIT, IBV_QPS_RTR,
	  IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
		  IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
	  IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX },
	{ IBV_QPS_RTR, IBV_QPS_RTS,
	  IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
		  IBV_QP_MAX_QP_RD_ATOMIC,
	  IBV_QP_CUR_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_MIN_RNR_TIMER },
	{ IBV_QPS_RTS, IBV_QPS_RTS, 0,
	  IBV_QP_CUR_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_MIN_RNR_TIMER },
};
#define N_TRANSITIONS (sizeof(transitions) / sizeof(transitions[0]))

static const char *const mask_names[] = {
	"STATE",
	"CUR_STATE",
	"EN_SQD_ASYNC_NOTIFY",
	"ACCESS_FLAGS",
	"PKEY_INDEX",
	"PORT",
	"QKEY",
	"AV",
	"PATH_MTU",
	"TIMEOUT",
	"RETRY_CNT",
	"RNR_RETRY",
	"RQ_PSN",
	"MAX_QP_RD_ATOMIC",
	"ALT_PATH",
	"MIN_RNR_TIMER",
	"SQ_PSN",
	"MAX_DEST_RD_ATOMIC",
	"PATH_MIG_STATE",
	"CAP",
	"DEST_QPN",
};
#define N_MASK_NAMES (sizeof(mask_names) / sizeof(mask_names[0]))

const char *nic_state_name(enum ibv_qp_state state)
{
	static const char *const names[] = { "RESET", "INIT", "RTR", "RTS",
					     "SQD",   "SQE",  "ERR" };

	return (unsigned int)state < 7 ? names[state] : "?";
}

static const char *mask_text(int mask, char *text, size_t bytes)
{
	size_t n = 0;

	text[0] = 0;
	for (size_t i = 0; i < N_MASK_NAMES; i++)
		if (mask >> i & 1 && n < bytes)
			n += (size_t)snprintf(text + n, bytes - n, " %s",
					      mask_names[i]);
	if (mask >> N_MASK_NAMES && n < bytes)
		snprintf(text + n, bytes - n, " %#x",
			 (unsigned int)mask >> N_MASK_NAMES << N_MASK_NAMES);
	return text;
}

static void check_mask(const struct nic_qp *qp, enum ibv_qp_state to, int mask)
{
	const struct transition *t = transitions;
	const int given = mask & ~IBV_QP_STATE;
	int allowed;
	char text[256];

	if (to == IBV_QPS_RESET || to == IBV_QPS_ERR) {
		if (given)
			nic_refuse("ibv_modify_qp: QP %#x to %s with%s",
				   qp->ibv.qp_num, nic_state_name(to),
				   mask_text(given, text, sizeof(text)));
		return;
	}
	while (t < transitions + N_TRANSITIONS &&
	       (t->from != qp->state || t->to != to))
		t++;
	if (t == transitions + N_TRANSITIONS)
		nic_refuse("ibv_modify_qp: QP %#x can't go from %s to %s",
			   qp->ibv.qp_num, nic_state_name(qp->state),
			   nic_state_name(to));
	if (t->required & ~given)
		nic_refuse("ibv_modify_qp: QP %#x to %s lacks%s",
			   qp->ibv.qp_num, nic_state_name(to),
			   mask_text(t->required & ~given, text, sizeof(text)));
	allowed = t->required | t->optional;
	if (given & ~allowed)
		nic_refuse(
			"ibv_modify_qp: QP %#x from %s to %s must not have%s",
			qp->ibv.qp_num, nic_state_name(qp->state),
			nic_state_name(to),
			mask_text(given & ~allowed, text, sizeof(text)));
}

struct range {
	int bit;
	const char *name;
	uint64_t value, least, most;
};

static void check_ranges(const struct nic_qp *qp, const struct ibv_qp_attr *a,
			 int mask)
{
	const struct ibv_device_attr *caps = &qp->context->device->attr;
	const struct range ranges[] = {
		{ IBV_QP_PKEY_INDEX, "pkey_index", a->pkey_index, 0,
		  (uint64_t)caps->max_pkeys - 1 },
		{ IBV_QP_PORT, "port_num", a->port_num, 1,
		  caps->phys_port_cnt },
		{ IBV_QP_PATH_MTU, "path_mtu", a->path_mtu, IBV_MTU_256,
		  IBV_MTU_4096 },
		{ IBV_QP_DEST_QPN, "dest_qp_num", a->dest_qp_num, 2, 0xfffffe },
		{ IBV_QP_RQ_PSN, "rq_psn", a->rq_psn, 0, 0xffffff },
		{ IBV_QP_SQ_PSN, "sq_psn", a->sq_psn, 0, 0xffffff },
		{ IBV_QP_MAX_DEST_RD_ATOMIC, "max_dest_rd_atomic",
		  a->max_dest_rd_atomic, 0, (uint64_t)caps->max_qp_rd_atom },
		{ IBV_QP_MAX_QP_RD_ATOMIC, "max_rd_atomic", a->max_rd_atomic, 0,
		  (uint64_t)caps->max_qp_init_rd_atom },
		{ IBV_QP_MIN_RNR_TIMER, "min_rnr_timer", a->min_rnr_timer, 0,
		  31 },
		{ IBV_QP_TIMEOUT, "timeout", a->timeout, 0, 31 },
		{ IBV_QP_RETRY_CNT, "retry_cnt", a->retry_cnt, 0, 7 },
		{ IBV_QP_RNR_RETRY, "rnr_retry", a->rnr_retry, 0, 7 },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		const struct range *r = &ranges[i];

		if (!(mask & r->bit) ||
		    (r->value >= r->least && r->value <= r->most))
			continue;
		nic_refuse("ibv_modify_qp: QP %#x: %s is %llu; %llu to %llu "
			   "is possible",
			   qp->ibv.qp_num, r->name,
			   (unsigned long long)r->value,
			   (unsigned long long)r->least,
			   (unsigned long long)r->most);
	}
}

static void port_of(const struct nic_qp *qp, struct ibv_port_attr *port)
{
	nic_query_port(&qp->context->verbs.context, 1, port, sizeof(*port));
}

static void check_path(const struct nic_qp *qp, const struct ibv_qp_attr *attr)
{
	const struct ibv_ah_attr *ah = &attr->ah_attr;
	const uint32_t number = qp->ibv.qp_num;
	struct ibv_port_attr port;

	port_of(qp, &port);
	if (ah->port_num != qp->attr.port_num)
		nic_refuse("ibv_modify_qp: QP %#x is of port %u, its path of "
			   "port %u",
			   number, qp->attr.port_num, ah->port_num);
	if (attr->path_mtu > port.active_mtu)
		nic_refuse(
			"ibv_modify_qp: QP %#x: path_mtu %d is more than the "
			"port's %d",
			number, attr->path_mtu, port.active_mtu);
	if (port.link_layer == IBV_LINK_LAYER_ETHERNET && !ah->is_global)
		nic_refuse("ibv_modify_qp: QP %#x: a path on Ethernet without "
			   "an address (is_global)",
			   number);
	if (port.link_layer == IBV_LINK_LAYER_INFINIBAND && !ah->dlid)
		nic_refuse("ibv_modify_qp: QP %#x: a path without a LID",
			   number);
	if (!ah->is_global)
		return;
	if (ah->grh.sgid_index >= port.gid_tbl_len)
		nic_refuse("ibv_modify_qp: QP %#x: sgid_index %u; the port has "
			   "%d",
			   number, ah->grh.sgid_index, port.gid_tbl_len);
	if (port.link_layer == IBV_LINK_LAYER_ETHERNET && ah->grh.hop_limit < 2)
		nic_refuse("ibv_modify_qp: QP %#x: hop_limit %u stops at the "
			   "first router",
			   number, ah->grh.hop_limit);
}

/* The other side has told its number: it is there, with that address. */
static void check_peer(const struct nic_qp *qp, const struct ibv_qp_attr *attr)
{
	const struct nic_shared_qp *peer =
		nic_shared_qp_find(attr->dest_qp_num);
	const struct ibv_ah_attr *ah = &attr->ah_attr;
	uint32_t pid;

	if (!peer)
		nic_refuse("ibv_modify_qp: QP %#x: there is no QP %#x to "
			   "connect to",
			   qp->ibv.qp_num, attr->dest_qp_num);
	if (!ah->is_global)
		return;
	pid = (uint32_t)ah->grh.dgid.raw[13] << 16 |
	      (uint32_t)ah->grh.dgid.raw[14] << 8 | ah->grh.dgid.raw[15];
	if (pid != ((uint32_t)peer->pid & 0xffffff) ||
	    ah->grh.dgid.raw[12] != 10 + peer->device)
		nic_refuse("ibv_modify_qp: QP %#x: QP %#x is not at the "
			   "address that the path leads to",
			   qp->ibv.qp_num, attr->dest_qp_num);
}

static void check_rights(const struct nic_qp *qp,
			 const struct ibv_qp_attr *attr)
{
	const unsigned int known =
		IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
		IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC |
		IBV_ACCESS_MW_BIND;

	if (attr->qp_access_flags & ~known)
		nic_refuse("ibv_modify_qp: QP %#x: unknown access %#x",
			   qp->ibv.qp_num, attr->qp_access_flags & ~known);
}

void nic_check_modify(const struct nic_qp *qp, const struct ibv_qp_attr *attr,
		      int mask)
{
	const enum ibv_qp_state to =
		mask & IBV_QP_STATE ? attr->qp_state : qp->state;

	if ((mask & IBV_QP_CUR_STATE) && attr->cur_qp_state != qp->state)
		nic_refuse("ibv_modify_qp: QP %#x is in %s, not in %s",
			   qp->ibv.qp_num, nic_state_name(qp->state),
			   nic_state_name(attr->cur_qp_state));
	check_mask(qp, to, mask);
	check_ranges(qp, attr, mask);
	if (mask & IBV_QP_ACCESS_FLAGS)
		check_rights(qp, attr);
	if (mask & IBV_QP_AV)
		check_path(qp, attr);
	if (mask & IBV_QP_DEST_QPN)
		check_peer(qp, attr);
}

static void check_caps(const struct nic_device *device,
		       const struct ibv_qp_cap *cap)
{
	const struct ibv_device_attr *most = &device->attr;

	if (!cap->max_send_wr && !cap->max_recv_wr)
		nic_refuse("ibv_create_qp: room for no work request");
	if (cap->max_send_wr > (uint32_t)most->max_qp_wr ||
	    cap->max_recv_wr > (uint32_t)most->max_qp_wr)
		nic_refuse("ibv_create_qp: %u and %u work requests; %s has %d",
			   cap->max_send_wr, cap->max_recv_wr, device->ibv.name,
			   most->max_qp_wr);
	if (cap->max_send_sge > (uint32_t)most->max_sge ||
	    cap->max_recv_sge > (uint32_t)most->max_sge)
		nic_refuse("ibv_create_qp: %u and %u pieces; %s has %d",
			   cap->max_send_sge, cap->max_recv_sge,
			   device->ibv.name, most->max_sge);
	if (cap->max_inline_data > NIC_INLINE_BYTES)
		nic_refuse("ibv_create_qp: %u inline bytes; %s has %d",
			   cap->max_inline_data, device->ibv.name,
			   NIC_INLINE_BYTES);
}

void nic_check_qp_init(const struct nic_pd *pd,
		       const struct ibv_qp_init_attr *attr)
{
	static const char call[] = "ibv_create_qp";
	const struct nic_cq *send = nic_cq_of(attr->send_cq, call);
	const struct nic_cq *recv = nic_cq_of(attr->recv_cq, call);

	if (attr->qp_type != IBV_QPT_RC)
		nic_refuse("%s: type %d; this NIC has RC alone", call,
			   attr->qp_type);
	if (attr->srq)
		nic_refuse("%s: this NIC has no SRQ", call);
	if (send->context != pd->context || recv->context != pd->context)
		nic_refuse("%s: PD %u and the CQs are of different contexts",
			   call, pd->object.number);
	check_caps(pd->context->device, &attr->cap);
}

void nic_check_access(int access, int local, const char *call)
{
	const int remote = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
	const int known = remote | IBV_ACCESS_LOCAL_WRITE |
			  IBV_ACCESS_REMOTE_READ | IBV_ACCESS_RELAXED_ORDERING;

	if (access & ~known)
		nic_refuse("%s: unknown access %#x", call, access & ~known);
	if (local && (access & remote) && !(access & IBV_ACCESS_LOCAL_WRITE))
		nic_refuse("%s: access %#x: remote writes need LOCAL_WRITE",
			   call, access);
}
