/* SPDX-License-Identifier: BSD-3-Clause */
#include "pair.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct gda_verbs_lib nic;

static const struct {
	const char *name;
	size_t offset;
} rows[] = {
#define ROW(type, name, params) \
	{ "ibv_" #name, offsetof(struct gda_verbs_lib, name) },
	GDA_VERBS(ROW)
#undef ROW
};

void pair_die(const char *what)
{
	fprintf(stderr, "%s\n", what);
	_exit(1);
}

void pair_must(int ok, const char *what)
{
	if (!ok)
		pair_die(what);
}

void pair_load(void)
{
	const char *dir = getenv("BUILDDIR");
	char path[4096];
	void *library;

	snprintf(path, sizeof(path), "%s/tests/nic/.libs/libnic.so",
		 dir ? dir : ".");
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		pair_die(dlerror());
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		void *symbol = dlsym(library, rows[i].name);

		pair_must(symbol != NULL, rows[i].name);
		memcpy((char *)&nic + rows[i].offset, &symbol, sizeof(symbol));
	}
}

static void memory_open(struct pair_side *side)
{
	side->fd = memfd_create("pair", MFD_CLOEXEC);
	pair_must(side->fd >= 0 && !ftruncate(side->fd, PAIR_BYTES), "memfd");
	side->memory = mmap(NULL, PAIR_BYTES, PROT_READ | PROT_WRITE,
			    MAP_SHARED, side->fd, 0);
	pair_must(side->memory != MAP_FAILED, "mmap");
	side->mr = nic.reg_mr(side->pd, side->memory, PAIR_BYTES,
			      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
				      IBV_ACCESS_REMOTE_READ |
				      IBV_ACCESS_REMOTE_ATOMIC);
	pair_must(side->mr != NULL, "reg_mr");
}

static void queue_open(struct pair_side *side, unsigned int n_places, int cqe)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = n_places,
			 .max_send_sge = 2,
			 .max_inline_data = 64 },
	};

	side->cq = nic.create_cq(side->context, cqe, NULL, NULL, 0);
	pair_must(side->cq != NULL, "create_cq");
	attr.send_cq = attr.recv_cq = side->cq;
	side->qp = nic.create_qp(side->pd, &attr);
	pair_must(side->qp != NULL, "create_qp");
}

void pair_open(struct pair_side *side, unsigned int n_places, int cqe)
{
	struct ibv_device **list;
	int n;

	pair_load();
	list = nic.get_device_list(&n);
	pair_must(n == 1 && list && list[0] && !list[1], "get_device_list");
	side->context = nic.open_device(list[0]);
	nic.free_device_list(list);
	pair_must(side->context != NULL, "open_device");
	side->pd = nic.alloc_pd(side->context);
	pair_must(side->pd != NULL, "alloc_pd");
	memory_open(side);
	queue_open(side, n_places, cqe);
	side->mine.gid_index = 3;
	pair_must(!nic.query_gid(side->context, 1, 3, &side->mine.gid), "gid");
	side->mine.memory = (uintptr_t)side->memory;
	side->mine.qp_num = side->qp->qp_num;
	side->mine.rkey = side->mr->rkey;
	side->mine.psn = 100 + (uint32_t)side->rank;
}

void pair_exchange(struct pair_side *side)
{
	pair_must(send(side->socket, &side->mine, sizeof(side->mine), 0) ==
			  sizeof(side->mine),
		  "send");
	pair_must(recv(side->socket, &side->peer, sizeof(side->peer),
		       MSG_WAITALL) == sizeof(side->peer),
		  "the other side is gone");
}

void pair_meet(const struct pair_side *side)
{
	char c = 'x';

	pair_must(send(side->socket, &c, 1, 0) == 1, "send");
	pair_must(recv(side->socket, &c, 1, 0) == 1, "the other side is gone");
}

struct ibv_qp_attr pair_init(void)
{
	return (struct ibv_qp_attr){
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE |
				   IBV_ACCESS_REMOTE_READ |
				   IBV_ACCESS_REMOTE_ATOMIC,
	};
}

int pair_rtr(const struct pair_side *side, struct ibv_qp_attr *attr)
{
	*attr = (struct ibv_qp_attr){
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = side->peer.qp_num,
		.rq_psn = side->peer.psn,
		.max_dest_rd_atomic = 16,
		.min_rnr_timer = 12,
		.ah_attr = { .is_global = 1,
			     .port_num = 1,
			     .grh = { .dgid = side->peer.gid,
				      .sgid_index =
					      (uint8_t)side->mine.gid_index,
				      .hop_limit = 64 } },
	};
	return IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
	       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
}

int pair_rts(const struct pair_side *side, struct ibv_qp_attr *attr)
{
	*attr = (struct ibv_qp_attr){
		.qp_state = IBV_QPS_RTS,
		.sq_psn = side->mine.psn,
		.timeout = 10,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.max_rd_atomic = 16,
	};
	return IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
	       IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC;
}

void pair_connect(struct pair_side *side)
{
	struct ibv_qp_attr attr = pair_init();
	int mask;

	pair_must(!nic.modify_qp(side->qp, &attr, PAIR_INIT), "to INIT");
	pair_exchange(side);
	mask = pair_rtr(side, &attr);
	pair_must(!nic.modify_qp(side->qp, &attr, mask), "to RTR");
	mask = pair_rts(side, &attr);
	pair_must(!nic.modify_qp(side->qp, &attr, mask), "to RTS");
	pair_meet(side);
}

void pair_close(struct pair_side *side)
{
	pair_meet(side);
	pair_leave(side);
}

void pair_leave(struct pair_side *side)
{
	nic.destroy_qp(side->qp);
	nic.destroy_cq(side->cq);
	nic.dereg_mr(side->mr);
	nic.dealloc_pd(side->pd);
	nic.close_device(side->context);
	munmap(side->memory, PAIR_BYTES);
	close(side->fd);
}

struct ibv_send_wr pair_request(const struct pair_side *side,
				enum ibv_wr_opcode opcode, size_t mine,
				size_t theirs, size_t bytes,
				struct ibv_sge *sge)
{
	struct ibv_send_wr wr = { .opcode = opcode,
				  .send_flags = IBV_SEND_SIGNALED,
				  .sg_list = sge,
				  .num_sge = 1 };

	*sge = (struct ibv_sge){ side->mine.memory + mine, (uint32_t)bytes,
				 side->mr->lkey };
	if (opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
	    opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.remote_addr = side->peer.memory + theirs;
		wr.wr.atomic.rkey = side->peer.rkey;
	} else {
		wr.wr.rdma.remote_addr = side->peer.memory + theirs;
		wr.wr.rdma.rkey = side->peer.rkey;
	}
	return wr;
}

void pair_post(struct pair_side *side, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;

	pair_must(!ibv_post_send(side->qp, wr, &bad), "ibv_post_send");
}

enum ibv_wc_status pair_wait(struct pair_side *side, uint64_t *wr_id)
{
	const struct timespec pause = { .tv_nsec = 20000 };
	struct ibv_wc wc;
	int n;

	while (!(n = ibv_poll_cq(side->cq, 1, &wc)))
		nanosleep(&pause, NULL);
	pair_must(n == 1 && wc.qp_num == side->qp->qp_num, "ibv_poll_cq");
	if (wr_id)
		*wr_id = wc.wr_id;
	return wc.status;
}

static pid_t side_start(void (*f)(struct pair_side *), int rank,
			const int ends[2])
{
	struct pair_side side = { .socket = ends[rank], .rank = rank };
	const pid_t pid = fork();

	if (pid)
		return pid;
	close(ends[!rank]);
	f(&side);
	exit(0);
}

static int ended_well(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && status == 0;
}

int pair_run(void (*f)(struct pair_side *side), const char *name,
	     const char *value)
{
	char dir[] = "/tmp/nic-XXXXXX";
	int ends[2], ok;
	pid_t pids[2];

	pair_must(mkdtemp(dir) != NULL, "mkdtemp");
	setenv("NIC_DIR", dir, 1);
	if (name)
		setenv(name, value, 1);
	pair_must(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
	pids[0] = side_start(f, 0, ends);
	pids[1] = side_start(f, 1, ends);
	close(ends[0]);
	close(ends[1]);
	ok = ended_well(pids[0]);
	ok = ended_well(pids[1]) && ok;
	if (name)
		unsetenv(name);
	unsetenv("NIC_DIR");
	if (rmdir(dir)) {
		fprintf(stderr, "%s is not empty\n", dir);
		return -1;
	}
	return ok ? 0 : -1;
}

int pair_run_one(void (*f)(void), char *text, size_t bytes)
{
	int ends[2], status;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	pair_must(!pipe(ends), "pipe");
	pid = fork();
	if (!pid) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		pair_load();
		f();
		exit(0);
	}
	close(ends[1]);
	while ((got = read(ends[0], text + n, bytes - 1 - n)) > 0)
		n += (size_t)got;
	text[n] = 0;
	close(ends[0]);
	waitpid(pid, &status, 0);
	return status;
}
