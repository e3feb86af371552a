/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two processes over UCP and nothing between: comm_pair.c, which gives comm.h
 * for two PEs. $PERF_PAIR says how they meet: "listen:PORT" makes PE 0,
 * "connect:ADDRESS:PORT" PE 1. All memory of comm_alloc() lies in one block
 * that UCX has allocated, so that transports which can are one-sided.
 */
#ifndef PERF_PAIR_H
#define PERF_PAIR_H

#include <stdint.h>
#include <ucp/api/ucp.h>

struct pair {
	int me;
	ucp_context_h context;
	ucp_worker_h worker;
	ucp_mem_h memh;
	ucp_ep_h ep; /* to the other one */
	ucp_rkey_h rkey;
	char *base; /* of the block here */
	uint64_t peer_base;
};
extern struct pair pair;

/* Where the other one has what is at p here. */
static inline uint64_t pair_remote(const void *p)
{
	return pair.peer_base + (uint64_t)((const char *)p - pair.base);
}

/* Progresses until the request is complete; ends the process on errors. */
void pair_wait(ucs_status_ptr_t request);
/* All that was started here is done and visible over there. */
void pair_flush(void);
/* Progresses until the word has reached value. */
void pair_await(const volatile long *word, long value);

#endif
