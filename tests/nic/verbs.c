/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The software NIC by itself: two processes move bytes and atomics through
 * ibv_post_send; faults do what they say.
 */
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pair.h"
#include "refused.h"

static void fill(char *p, size_t bytes, int seed)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (char)(i * 7 + (size_t)seed);
}

static int is_filled(const char *p, size_t bytes, int seed)
{
	for (size_t i = 0; i < bytes; i++)
		if (p[i] != (char)(i * 7 + (size_t)seed))
			return 0;
	return 1;
}

static enum ibv_wc_status do_one(struct pair_side *side,
				 enum ibv_wr_opcode opcode, size_t mine,
				 size_t theirs, size_t bytes)
{
	struct ibv_sge sge;
	struct ibv_send_wr wr =
		pair_request(side, opcode, mine, theirs, bytes, &sge);

	pair_post(side, &wr);
	return pair_wait(side, NULL);
}

/* Mine at 0 goes to theirs at 16384, comes back to mine at 32768. */
static void bytes_move(struct pair_side *side)
{
	static const size_t sizes[] = { 1, 3, 8, 61, 4096, 16384 };

	pair_open(side, 16, 16);
	pair_connect(side);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const size_t n = sizes[i];
		const int seed = (int)i * 2 + side->rank;

		fill(side->memory, n, seed);
		pair_must(!do_one(side, IBV_WR_RDMA_WRITE, 0, 16384, n),
			  "write");
		pair_must(!do_one(side, IBV_WR_RDMA_READ, 32768, 16384, n),
			  "read");
		pair_must(is_filled(side->memory + 32768, n, seed),
			  "what was read is not what was written");
		pair_meet(side);
		pair_must(is_filled(side->memory + 16384, n, seed ^ 1),
			  "the peer's write is not there");
		pair_meet(side);
	}
	pair_close(side);
}

static void pieces_move(struct pair_side *side)
{
	struct ibv_sge pieces[2];
	struct ibv_send_wr wr;
	char *local = malloc(200);
	struct ibv_mr *mr;

	pair_open(side, 16, 16);
	pair_connect(side);
	fill(local, 200, 5);
	mr = nic.reg_mr(side->pd, local, 200, 0);
	wr = pair_request(side, IBV_WR_RDMA_WRITE, 0, 4096, 100, pieces);
	pieces[0] = (struct ibv_sge){ (uintptr_t)local, 120, mr->lkey };
	pieces[1] = (struct ibv_sge){ (uintptr_t)local + 120, 80, mr->lkey };
	wr.num_sge = 2;
	pair_post(side, &wr);
	pair_must(!pair_wait(side, NULL), "a write of two pieces");
	wr.wr.rdma.remote_addr += 4096;
	wr.send_flags |= IBV_SEND_INLINE;
	pieces[0] = (struct ibv_sge){ (uintptr_t)local, 40, 0 };
	wr.num_sge = 1;
	pair_post(side, &wr);
	memset(local, 0, 200);
	pair_must(!pair_wait(side, NULL), "an inline write");
	pair_meet(side);
	pair_must(is_filled(side->memory + 4096, 200, 5) &&
			  is_filled(side->memory + 8192, 40, 5),
		  "two pieces or inline bytes are wrong");
	nic.dereg_mr(mr);
	free(local);
	pair_close(side);
}

#define ADDS 1000

/* Both add to one word of side 0, with this many under way. */
static void atomics_move(struct pair_side *side)
{
	uint64_t *words = NULL;
	struct ibv_send_wr wr;
	struct ibv_sge sge;

	pair_open(side, 16, 16);
	pair_connect(side);
	words = (uint64_t *)(void *)side->memory;
	for (int i = 0; i < ADDS; i++) {
		wr = pair_request(side, IBV_WR_ATOMIC_FETCH_AND_ADD, 64, 0, 8,
				  &sge);
		wr.wr.atomic.compare_add = 3;
		pair_post(side, &wr);
		__atomic_fetch_add(&words[0], 1, __ATOMIC_RELAXED);
		pair_must(!pair_wait(side, NULL), "fetch and add");
		pair_must(words[8] >= 3 * (uint64_t)i, "what was fetched");
	}
	pair_meet(side);
	pair_must(words[0] == 4 * ADDS, "sums differ");
	pair_meet(side);
	wr = pair_request(side, IBV_WR_ATOMIC_CMP_AND_SWP, 64, 0, 8, &sge);
	wr.wr.atomic.compare_add = 4 * ADDS;
	wr.wr.atomic.swap = 77;
	pair_post(side, &wr);
	pair_must(!pair_wait(side, NULL) && words[8] == 4 * ADDS, "swap");
	pair_post(side, &wr);
	pair_must(!pair_wait(side, NULL) && words[8] == 77, "no swap");
	pair_meet(side);
	pair_must(words[0] == 77, "what was swapped in");
	pair_close(side);
}

/* A word of data before one that tells of it, many times. */
static void writes_are_ordered(struct pair_side *side)
{
	volatile uint64_t *words;

	pair_open(side, 64, 64);
	pair_connect(side);
	words = (volatile uint64_t *)(void *)side->memory;
	for (uint64_t i = 1; i <= 300; i++) {
		struct ibv_sge sges[2];
		struct ibv_send_wr wrs[2] = {
			pair_request(side, IBV_WR_RDMA_WRITE, 16384, 32768,
				     8192, &sges[0]),
			pair_request(side, IBV_WR_RDMA_WRITE, 64, 128, 8,
				     &sges[1]),
		};

		words[2048] = words[2048 + 1023] = words[8] = i;
		wrs[0].next = &wrs[1];
		wrs[0].send_flags = 0;
		pair_post(side, wrs);
		while (__atomic_load_n(&words[16], __ATOMIC_ACQUIRE) < i)
			sched_yield();
		pair_must(words[4096] == i && words[4096 + 1023] == i,
			  "data came after what told of it");
		pair_must(!pair_wait(side, NULL), "write");
		pair_meet(side);
	}
	pair_close(side);
}

static void event_is(struct pair_side *side, enum ibv_event_type type)
{
	struct pollfd fd = { side->context->async_fd, POLLIN, 0 };
	struct ibv_async_event event;

	pair_must(poll(&fd, 1, 10000) == 1, "no event comes");
	pair_must(!nic.get_async_event(side->context, &event) &&
			  event.event_type == type,
		  "another event");
	nic.ack_async_event(&event);
}

/* A key that is none: the rest is flushed, and the peer hears of it. */
static void access_is_refused(struct pair_side *side)
{
	struct ibv_sge sge;
	struct ibv_send_wr wr;

	pair_open(side, 16, 16);
	pair_connect(side);
	if (side->rank == 1) {
		event_is(side, IBV_EVENT_QP_ACCESS_ERR);
		pair_close(side);
		return;
	}
	wr = pair_request(side, IBV_WR_RDMA_WRITE, 0, 0, 8, &sge);
	wr.wr.rdma.rkey ^= 0x80;
	pair_post(side, &wr);
	wr.send_flags = 0;
	pair_post(side, &wr);
	pair_must(pair_wait(side, NULL) == IBV_WC_REM_ACCESS_ERR, "no error");
	pair_must(pair_wait(side, NULL) == IBV_WC_WR_FLUSH_ERR, "no flush");
	pair_close(side);
}

static void bounds_are_kept(struct pair_side *side)
{
	pair_open(side, 16, 16);
	pair_connect(side);
	if (side->rank == 0)
		pair_must(do_one(side, IBV_WR_RDMA_READ, PAIR_BYTES - 4, 0,
				 8) == IBV_WC_LOC_PROT_ERR,
			  "no error of bounds");
	pair_close(side);
}

static void atomics_are_aligned(struct pair_side *side)
{
	pair_open(side, 16, 16);
	pair_connect(side);
	if (side->rank == 0)
		pair_must(do_one(side, IBV_WR_ATOMIC_FETCH_AND_ADD, 0, 12, 8) ==
				  IBV_WC_REM_INV_REQ_ERR,
			  "no error of alignment");
	pair_close(side);
}

static void dies_in_between(struct pair_side *side)
{
	pair_open(side, 16, 16);
	pair_connect(side);
	if (side->rank == 1)
		_exit(0);
	pair_must(recv(side->socket, side->memory, 1, 0) == 0, "it lives");
	usleep(20000);
	pair_must(do_one(side, IBV_WR_RDMA_WRITE, 0, 0, 8) ==
			  IBV_WC_RETRY_EXC_ERR,
		  "the dead answer");
	pair_leave(side);
}

/* NIC_FAULT=error:3:10 */
static void third_fails(struct pair_side *side)
{
	pair_open(side, 16, 16);
	pair_connect(side);
	for (int i = 1; i <= 4 && side->rank == 0; i++) {
		const enum ibv_wc_status is =
			do_one(side, IBV_WR_RDMA_WRITE, 0, 0, 8);

		pair_must(is == (i < 3	? IBV_WC_SUCCESS :
				 i == 3 ? IBV_WC_REM_ACCESS_ERR :
					  IBV_WC_WR_FLUSH_ERR),
			  "another status");
	}
	pair_close(side);
}

/* NIC_FAULT=port_down:2 */
static void port_fails(struct pair_side *side)
{
	struct ibv_port_attr port;

	pair_open(side, 16, 16);
	pair_connect(side);
	if (side->rank == 0) {
		pair_must(!do_one(side, IBV_WR_RDMA_WRITE, 0, 0, 8), "write");
		pair_must(do_one(side, IBV_WR_RDMA_WRITE, 0, 0, 8) ==
				  IBV_WC_RETRY_EXC_ERR,
			  "a port that is down moves bytes");
		event_is(side, IBV_EVENT_PORT_ERR);
		pair_must(!nic.query_port(side->context, 1, (void *)&port) &&
				  port.state == IBV_PORT_DOWN,
			  "the port is not down");
	}
	pair_close(side);
}

/* NIC_FAULT=drop:1 */
static void first_is_lost(struct pair_side *side)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct ibv_sge sge;
	struct ibv_send_wr wr;
	struct ibv_wc wc;

	pair_open(side, 16, 16);
	pair_connect(side);
	wr = pair_request(side, IBV_WR_RDMA_WRITE, 0, 0, 8, &sge);
	pair_post(side, &wr);
	pair_post(side, &wr);
	usleep(100000);
	pair_must(!ibv_poll_cq(side->cq, 1, &wc), "it was not lost");
	pair_must(!nic.modify_qp(side->qp, &attr, IBV_QP_STATE), "to ERR");
	for (int i = 0; i < 2; i++)
		pair_must(pair_wait(side, NULL) == IBV_WC_WR_FLUSH_ERR,
			  "no flush");
	pair_close(side);
}

/* NIC_MODE=count */
static void nothing_moves(struct pair_side *side)
{
	pair_open(side, 16, 16);
	pair_connect(side);
	side->memory[0] = 1;
	pair_must(!do_one(side, IBV_WR_RDMA_WRITE, 0, 64, 8), "write");
	pair_meet(side);
	pair_must(!side->memory[64], "bytes moved");
	pair_close(side);
}

static const struct {
	void (*f)(struct pair_side *side);
	const char *what, *name, *value;
} pairs[] = {
	{ bytes_move, "bytes", NULL, NULL },
	{ pieces_move, "pieces and inline bytes", NULL, NULL },
	{ atomics_move, "atomics", NULL, NULL },
	{ writes_are_ordered, "order", NULL, NULL },
	{ bytes_move, "bytes, later", "NIC_FAULT", "delay:300" },
	{ atomics_move, "atomics in any order", "NIC_FAULT", "reorder" },
	{ access_is_refused, "remote access", NULL, NULL },
	{ bounds_are_kept, "local bounds", NULL, NULL },
	{ atomics_are_aligned, "alignment", NULL, NULL },
	{ dies_in_between, "a dead peer", NULL, NULL },
	{ third_fails, "an injected error", "NIC_FAULT", "error:3:10" },
	{ port_fails, "a port that fails", "NIC_FAULT", "port_down:2" },
	{ first_is_lost, "a lost request", "NIC_FAULT", "drop:1" },
	{ nothing_moves, "the counting mode", "NIC_MODE", "count" },
};

static int stats_are_written(void)
{
	char path[] = "/tmp/nic-stats-XXXXXX", text[4096];
	const int fd = mkstemp(path);
	int rc = pair_run(bytes_move, "NIC_STATS", path);
	ssize_t n = read(fd, text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = 0;
	close(fd);
	unlink(path);
	return rc || !strstr(text, "\"writes\": 6, \"reads\": 6");
}

int main(void)
{
	int failed = 0;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (!pair_run(pairs[i].f, pairs[i].name, pairs[i].value))
			continue;
		fprintf(stderr, "FAILED: %s\n", pairs[i].what);
		failed++;
	}
	if (stats_are_written()) {
		fprintf(stderr, "FAILED: NIC_STATS\n");
		failed++;
	}
	failed += refused_run();
	fprintf(stderr, "%d failed\n", failed);
	return failed != 0;
}
