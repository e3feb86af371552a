/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "conduits/gda/gda_provider.h"
#include "host/shmemi.h"

#define ACCESS \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | \
	 IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)

/* The peer posts no receives that could be missing; 0.64 ms if it did. */
#define RNR_TIMER 12
#define RNR_RETRIES 7

/* Reads of a queue that are under way at once: what messages carry. */
#define READS_MAX 255

static uint16_t udp_ports_used;

/* Different from one queue to the next, as late packets may still come. */
static uint32_t new_psn(void)
{
	uint64_t x = shmemi_now_ns() + ((uint64_t)getpid() << 32);

	x *= 0x9e3779b97f4a7c15u;
	return (uint32_t)(x >> 40);
}

static uint8_t reads(int n)
{
	return (uint8_t)(n < 0 ? 0 : n > READS_MAX ? READS_MAX : n);
}

static void describe(const struct gda_nic *nic, const struct ibv_qp *qp,
		     int n_reads, struct gda_address *mine)
{
	*mine = (struct gda_address){
		.qp_num = qp->qp_num,
		.psn = new_psn(),
		.lid = nic->port_attr.lid,
		.mtu = gda_nic_mtu(nic),
		.link_layer = nic->port_attr.link_layer,
		.n_reads = reads(n_reads),
	};
	memcpy(mine->gid, nic->gid.raw, sizeof(mine->gid));
}

static int is_ethernet(const struct gda_nic *nic)
{
	return nic->port_attr.link_layer == IBV_LINK_LAYER_ETHERNET;
}

/* One subnet of InfiniBand needs no global address. */
static int is_global(const struct gda_nic *nic, const struct gda_address *peer)
{
	union ibv_gid gid;

	memcpy(gid.raw, peer->gid, sizeof(gid.raw));
	return is_ethernet(nic) || !peer->lid ||
	       gid.global.subnet_prefix != nic->gid.global.subnet_prefix;
}

static struct ibv_ah_attr path_to(const struct gda_nic *nic,
				  const struct gda_address *peer)
{
	struct ibv_ah_attr path = {
		.dlid = is_ethernet(nic) ? 0 : peer->lid,
		.is_global = (uint8_t)is_global(nic, peer),
		.port_num = nic->port,
	};

	if (!path.is_global)
		return path;
	path.grh.sgid_index = (uint8_t)nic->gid_index;
	path.grh.hop_limit = (uint8_t)shmemi.env.gda_hop_limit;
	path.grh.traffic_class = (uint8_t)shmemi.env.gda_traffic_class;
	memcpy(path.grh.dgid.raw, peer->gid, sizeof(path.grh.dgid.raw));
	return path;
}

/* A queue pair of any kind, by what takes it from state to state. */
struct pair {
	const struct gda_nic *nic;
	struct gda_queue *q; /* NULL: a target, known to libibverbs alone */
	struct ibv_qp *qp;
	const struct gda_address *mine;
};

static int move(const struct pair *pair, struct ibv_qp_attr *attr, int mask)
{
	mask |= IBV_QP_STATE;
	if (pair->q)
		return pair->nic->provider->modify(pair->q, attr, mask);
	return gda_pair_modified(pair->nic, pair->qp, attr->qp_state,
				 gda_ibv.modify_qp(pair->qp, attr, mask));
}

static int to_init(const struct pair *pair)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.pkey_index = 0,
		.port_num = pair->nic->port,
		.qp_access_flags = ACCESS,
	};

	return move(pair, &attr,
		    IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
}

static uint8_t least(uint8_t a, uint8_t b)
{
	return a < b ? a : b;
}

static int to_rtr(const struct pair *pair, const struct gda_address *peer,
		  uint8_t n_reads)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.ah_attr = path_to(pair->nic, peer),
		.path_mtu = least(gda_nic_mtu(pair->nic), peer->mtu),
		.dest_qp_num = peer->qp_num,
		.rq_psn = peer->psn,
		.max_dest_rd_atomic = n_reads,
		.min_rnr_timer = RNR_TIMER,
	};

	return move(pair, &attr,
		    IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
			    IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
			    IBV_QP_MIN_RNR_TIMER);
}

static int to_rts(const struct pair *pair, uint8_t n_reads)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.sq_psn = pair->mine->psn,
		.max_rd_atomic = n_reads,
		.timeout = (uint8_t)shmemi.env.gda_timeout,
		.retry_cnt = (uint8_t)shmemi.env.gda_retries,
		.rnr_retry = RNR_RETRIES,
	};

	return move(pair, &attr,
		    IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_TIMEOUT |
			    IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY);
}

static int same_link(const struct gda_nic *nic, const struct gda_address *peer)
{
	if (peer->link_layer == nic->port_attr.link_layer)
		return 0;
	shmemi_log_error("%s: the peer's port has another link layer",
			 nic->name);
	return -EPROTONOSUPPORT;
}

/* Not worth a failure: packets of queues then share a path of the network. */
static void choose_udp_port(struct gda_queue *q)
{
	const unsigned int first = (unsigned int)shmemi.env.gda_udp_port;
	static int told;
	uint16_t port;
	int rc;

	if (!first || !is_ethernet(q->nic))
		return;
	port = (uint16_t)(first + udp_ports_used++ % (65536 - first));
	rc = q->nic->provider->udp_port ? q->nic->provider->udp_port(q, port) :
					  -EOPNOTSUPP;
	if (rc && !told++)
		shmemi_log_warn("%s: SHMEM_GDA_UDP_PORT: the NIC chooses the "
				"port itself: %s",
				q->nic->name, strerror(-rc));
}

static void *queue_memory(size_t bytes, size_t align)
{
	return shmemi.env.gda_memory == SHMEMI_GDA_IN_DEVICE ?
		       gda_pool_device(bytes, align) :
		       gda_pool_host(bytes, align);
}

static int take_memory(struct gda_queue *q)
{
	const unsigned int n = q->image.n_places;
	const size_t bytes = q->nic->provider->memory_bytes(n);
	const size_t cells = (size_t)n * SHMEMD_GDA_CELL_BYTES;

	if (bytes)
		q->memory = q->device_memory =
			queue_memory(bytes, (size_t)sysconf(_SC_PAGESIZE));
	q->image.cells = queue_memory(cells, (size_t)sysconf(_SC_PAGESIZE));
	q->image.held =
		gda_pool_device(n * sizeof(uint32_t), SHMEMD_GDA_CELL_BYTES);
	if (!q->image.cells || !q->image.held || (bytes && !q->memory)) {
		shmemi_log_error("%s: out of memory for a queue of %u places",
				 q->nic->name, n);
		return -ENOMEM;
	}
	return gda_memory_of_queue(q->nic, q->image.cells, cells,
				   &q->image.cell_key);
}

int gda_queue_create(struct gda_queue *q, struct gda_address *mine)
{
	int rc = take_memory(q);

	if (!rc)
		rc = q->nic->provider->create(q);
	if (!rc)
		describe(q->nic, q->qp, q->nic->device.max_qp_init_rd_atom,
			 mine);
	q->address = *mine;
	return rc;
}

int gda_queue_connect(struct gda_queue *q, const struct gda_address *peer)
{
	const struct pair pair = { q->nic, q, q->qp, &q->address };
	const uint8_t n_reads = least(q->address.n_reads, peer->n_reads);
	int rc = same_link(q->nic, peer);

	if (!rc)
		rc = to_init(&pair);
	if (!rc)
		rc = to_rtr(&pair, peer, n_reads);
	if (rc)
		return rc;
	rc = to_rts(&pair, n_reads);
	if (rc)
		return rc;
	choose_udp_port(q);
	if (q->nic->provider->start)
		rc = q->nic->provider->start(q);
	q->started = !rc;
	return rc;
}

void gda_queue_destroy(struct gda_queue *q)
{
	if (q->started && q->nic->provider->stop)
		q->nic->provider->stop(q);
	if (q->qp)
		q->nic->provider->destroy(q);
	q->started = 0;
	q->qp = NULL;
}

/* It neither posts nor completes anything, but NICs want room for one. */
int gda_target_create(struct gda_target *t, struct gda_address *mine)
{
	const int rc = gda_pair_create(t->nic, 1, 1, &t->qp, &t->cq);

	if (rc)
		return rc;
	describe(t->nic, t->qp, t->nic->device.max_qp_rd_atom, &t->address);
	*mine = t->address;
	return 0;
}

int gda_target_connect(struct gda_target *t, const struct gda_address *peer)
{
	const struct pair pair = { t->nic, NULL, t->qp, &t->address };
	const uint8_t n_reads = least(t->address.n_reads, peer->n_reads);
	int rc = same_link(t->nic, peer);

	if (!rc)
		rc = to_init(&pair);
	if (!rc)
		rc = to_rtr(&pair, peer, n_reads);
	if (!rc)
		rc = to_rts(&pair, n_reads);
	return rc;
}

void gda_target_destroy(struct gda_target *t)
{
	gda_pair_destroy(&t->qp, &t->cq);
}
