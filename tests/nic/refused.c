/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes in calls of verbs, and what the software NIC says to them. */
#include "refused.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair.h"

static struct pair_side one;

static struct ibv_context *open_first(void)
{
	struct ibv_device **list = nic.get_device_list(NULL);
	struct ibv_context *context = nic.open_device(list[0]);

	nic.free_device_list(list);
	return context;
}

/* A side that is its own peer. */
static void open_one(void)
{
	pair_open(&one, 4, 4);
	one.peer = one.mine;
}

static void to_init(void)
{
	struct ibv_qp_attr attr = pair_init();

	open_one();
	nic.modify_qp(one.qp, &attr, PAIR_INIT);
}

static void to_rtr(void)
{
	struct ibv_qp_attr attr;
	int mask;

	to_init();
	mask = pair_rtr(&one, &attr);
	nic.modify_qp(one.qp, &attr, mask);
}

static void to_rts(void)
{
	struct ibv_qp_attr attr;
	int mask;

	to_rtr();
	mask = pair_rts(&one, &attr);
	nic.modify_qp(one.qp, &attr, mask);
}

static void order_of_states(void)
{
	struct ibv_qp_attr attr;
	int mask;

	open_one();
	mask = pair_rtr(&one, &attr);
	nic.modify_qp(one.qp, &attr, mask);
}

static void missing_attribute(void)
{
	struct ibv_qp_attr attr;
	int mask;

	to_init();
	mask = pair_rtr(&one, &attr);
	nic.modify_qp(one.qp, &attr, mask & ~IBV_QP_MIN_RNR_TIMER);
}

static void surplus_attribute(void)
{
	struct ibv_qp_attr attr;
	int mask;

	to_init();
	mask = pair_rtr(&one, &attr);
	nic.modify_qp(one.qp, &attr, mask | IBV_QP_TIMEOUT);
}

static void rtr_with(void (*change)(struct ibv_qp_attr *attr))
{
	struct ibv_qp_attr attr;
	int mask;

	to_init();
	mask = pair_rtr(&one, &attr);
	change(&attr);
	nic.modify_qp(one.qp, &attr, mask);
}

static void no_peer(struct ibv_qp_attr *attr)
{
	attr->dest_qp_num += 5;
}

static void no_address(struct ibv_qp_attr *attr)
{
	attr->ah_attr.is_global = 0;
}

static void other_address(struct ibv_qp_attr *attr)
{
	attr->ah_attr.grh.dgid.raw[15] ^= 1;
}

static void short_path(struct ibv_qp_attr *attr)
{
	attr->ah_attr.grh.hop_limit = 1;
}

static void large_mtu(struct ibv_qp_attr *attr)
{
	attr->path_mtu = IBV_MTU_4096;
}

static void long_psn(struct ibv_qp_attr *attr)
{
	attr->rq_psn = 1 << 24;
}

static void peer_is_missing(void)
{
	rtr_with(no_peer);
}

static void address_is_missing(void)
{
	rtr_with(no_address);
}

static void address_is_anothers(void)
{
	rtr_with(other_address);
}

static void path_is_short(void)
{
	rtr_with(short_path);
}

static void mtu_is_large(void)
{
	rtr_with(large_mtu);
}

static void psn_is_long(void)
{
	rtr_with(long_psn);
}

static void port_is_missing(void)
{
	struct ibv_qp_attr attr = pair_init();

	attr.port_num = 2;
	open_one();
	nic.modify_qp(one.qp, &attr, PAIR_INIT);
}

static void post_too_early(void)
{
	struct ibv_sge sge;
	struct ibv_send_wr wr;

	to_rtr();
	wr = pair_request(&one, IBV_WR_RDMA_WRITE, 0, 0, 8, &sge);
	pair_post(&one, &wr);
}

static void post_inline_bytes(void)
{
	struct ibv_sge sge;
	struct ibv_send_wr wr;

	to_rts();
	wr = pair_request(&one, IBV_WR_RDMA_WRITE, 0, 0, 65, &sge);
	wr.send_flags |= IBV_SEND_INLINE;
	pair_post(&one, &wr);
}

/* Its peer, itself, expects other packets than it sends. */
static void psns_differ(void)
{
	struct ibv_qp_attr attr;
	struct ibv_sge sge;
	struct ibv_send_wr wr;
	int mask;

	to_rtr();
	mask = pair_rts(&one, &attr);
	attr.sq_psn++;
	nic.modify_qp(one.qp, &attr, mask);
	wr = pair_request(&one, IBV_WR_RDMA_WRITE, 0, 0, 8, &sge);
	pair_post(&one, &wr);
	pair_wait(&one, NULL);
}

/* Small ones in two that nobody polls. */
static void completions_overrun(void)
{
	struct ibv_sge sge;
	struct ibv_send_wr wr;
	struct ibv_qp_init_attr init = { .qp_type = IBV_QPT_RC,
					 .cap = { .max_send_wr = 16,
						  .max_send_sge = 1 } };

	open_one();
	nic.destroy_qp(one.qp);
	init.send_cq = init.recv_cq = one.cq;
	one.qp = nic.create_qp(one.pd, &init);
	one.mine.qp_num = one.peer.qp_num = one.qp->qp_num;
	for (int i = 0; i < 3; i++) {
		struct ibv_qp_attr attr = pair_init();
		const int mask = i == 0 ? PAIR_INIT :
				 i == 1 ? pair_rtr(&one, &attr) :
					  pair_rts(&one, &attr);

		nic.modify_qp(one.qp, &attr, mask);
	}
	wr = pair_request(&one, IBV_WR_RDMA_WRITE, 0, 64, 8, &sge);
	for (int i = 0; i < 10; i++)
		pair_post(&one, &wr);
	sleep(5);
}

static void region_of_nothing(void)
{
	struct ibv_pd *pd = nic.alloc_pd(open_first());
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(p + 4096, 4096);
	nic.reg_mr(pd, p, 8192, IBV_ACCESS_LOCAL_WRITE);
}

static void region_of_constants(void)
{
	struct ibv_pd *pd = nic.alloc_pd(open_first());
	char *p =
		mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	nic.reg_mr(pd, p, 4096, IBV_ACCESS_LOCAL_WRITE);
}

static void region_access(void)
{
	static char memory[64];
	struct ibv_pd *pd = nic.alloc_pd(open_first());

	nic.reg_mr(pd, memory, 64, IBV_ACCESS_REMOTE_WRITE);
}

static void region_of_a_file(void)
{
	struct ibv_pd *pd = nic.alloc_pd(open_first());
	const int fd = memfd_create("x", 0);

	if (ftruncate(fd, 4096))
		pair_die("ftruncate");
	nic.reg_dmabuf_mr(pd, 0, 8192, 1 << 20, fd, IBV_ACCESS_LOCAL_WRITE);
}

static void destroyed_twice(void)
{
	open_one();
	nic.destroy_qp(one.qp);
	nic.destroy_qp(one.qp);
}

static void deregistered_twice(void)
{
	open_one();
	nic.dereg_mr(one.mr);
	nic.dereg_mr(one.mr);
}

static void pd_with_children(void)
{
	open_one();
	nic.dealloc_pd(one.pd);
}

static void cq_with_children(void)
{
	open_one();
	nic.destroy_cq(one.cq);
}

static void context_with_children(void)
{
	nic.alloc_pd(open_first());
	nic.close_device(open_first());
	struct ibv_context *context = open_first();

	nic.alloc_pd(context);
	nic.close_device(context);
}

static void leak(void)
{
	nic.alloc_pd(open_first());
}

static void queue_of_two_contexts(void)
{
	struct ibv_qp_init_attr init = { .qp_type = IBV_QPT_RC,
					 .cap = { .max_send_wr = 1 } };

	open_one();
	init.send_cq = init.recv_cq =
		nic.create_cq(open_first(), 4, NULL, NULL, 0);
	nic.create_qp(one.pd, &init);
}

static void too_many_completions(void)
{
	nic.create_cq(open_first(), 1 << 30, NULL, NULL, 0);
}

static void wrong_object(void)
{
	open_one();
	nic.destroy_cq((struct ibv_cq *)(void *)one.pd);
}

static const struct {
	void (*f)(void);
	const char *says;
} rows[] = {
	{ order_of_states, "can't go from RESET to RTR" },
	{ missing_attribute, "to RTR lacks MIN_RNR_TIMER" },
	{ surplus_attribute, "from INIT to RTR must not have TIMEOUT" },
	{ peer_is_missing, "there is no QP" },
	{ address_is_missing, "a path on Ethernet without an address" },
	{ address_is_anothers, "is not at the address" },
	{ path_is_short, "hop_limit 1 stops" },
	{ mtu_is_large, "path_mtu 5 is more than the port's 3" },
	{ psn_is_long, "rq_psn is 16777216" },
	{ port_is_missing, "port_num is 2" },
	{ post_too_early, "is not in RTS" },
	{ post_inline_bytes, "more inline bytes than 64" },
	{ psns_differ, "differ in the first packet's number" },
	{ completions_overrun, "overruns: 4 completions" },
	{ region_of_nothing, "only 4096 are mapped" },
	{ region_of_constants, "only 0 are mapped and may be written" },
	{ region_access, "remote writes need LOCAL_WRITE" },
	{ region_of_a_file, "has no 8192 bytes" },
	{ destroyed_twice, "was destroyed before" },
	{ deregistered_twice, "was destroyed before" },
	{ pd_with_children, "still has 2 objects" },
	{ cq_with_children, "still has 1 objects" },
	{ context_with_children, "still has 1 objects" },
	{ leak, "was never destroyed" },
	{ queue_of_two_contexts, "are of different contexts" },
	{ too_many_completions, "completions; soft_0 has 1 to" },
	{ wrong_object, "is not a CQ" },
};

static int refused(size_t i)
{
	char text[8192];
	const int status = pair_run_one(rows[i].f, text, sizeof(text));

	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT &&
	    strstr(text, rows[i].says))
		return 1;
	fprintf(stderr, "FAILED: not refused with \"%s\"; status %#x, %s\n",
		rows[i].says, (unsigned int)status, text);
	return 0;
}

int refused_run(void)
{
	int failed = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		failed += !refused(i);
	return failed;
}
