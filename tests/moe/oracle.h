/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What MoE exchanges have to do, computed on every PE for all members from a
 * seed, in plain loops and without the library. Members are those of the
 * handle's team.
 */
#ifndef TESTS_MOE_ORACLE_H
#define TESTS_MOE_ORACLE_H

#include <stddef.h>
#include <stdint.h>
#include <shmem/moe.h>

/* Where tokens want to go. */
enum oracle_route {
	ROUTE_ANY,    /* anywhere */
	ROUTE_TURN,   /* experts in turn: all get the same */
	ROUTE_SKEW,   /* more to the first ones */
	ROUTE_SOME,   /* to every third one */
	ROUTE_MEMBER, /* to one member's */
	ROUTE_ONE,    /* all to one */
	ROUTE_TWICE,  /* twice to each of a token's */
	ROUTE_NONE,
	ROUTES
};

/* How many tokens members have. */
enum oracle_tokens {
	TOKENS_ANY,
	TOKENS_FULL,
	TOKENS_ODD, /* odd members have all, the others none */
	TOKENS_ONE,
	TOKENS_NONE,
	TOKENS
};

struct oracle_case {
	uint64_t salt;
	enum oracle_route route;
	enum oracle_tokens tokens;
	unsigned int masked, invalid; /* of 100 ids */
};

struct oracle_member {
	uint32_t n_tokens;
	int node;		 /* that it is on; set by the caller */
	int64_t *ids;		 /* [max_tokens][top_k] */
	int32_t *experts, *rows; /* of these, as a view has them */
	int32_t *counts, *offsets, *by_pe;
	uint64_t stats[SHMEMX_MOE_STATS]; /* of this one dispatch */
};

struct oracle {
	struct shmemx_moe_config config;
	int n, n_local;
	uint64_t salt;
	int unweighted; /* weights are 1 */
	int echo;	/* experts give back what they get */
	struct oracle_member *members;
};

/* A row that went somewhere: that of (token, k) of a member. */
struct oracle_pair {
	int member;
	uint32_t t, k;
	size_t i;   /* t * top_k + k */
	int pe;	    /* member that it went to */
	size_t row; /* there */
};

#ifdef __cplusplus
extern "C" {
#endif

void oracle_new(struct oracle *o, const struct shmemx_moe_config *config,
		int n);
void oracle_free(struct oracle *o);

/* Makes ids, and all that follows from them. */
void oracle_dispatch(struct oracle *o, const struct oracle_case *c);

/* The next pair after *p, which begins as ORACLE_BEGIN; 0 if there is none. */
#define ORACLE_BEGIN \
	{ \
		0, 0, (uint32_t)-1, 0, 0, 0 \
	}
int oracle_next(const struct oracle *o, struct oracle_pair *p);

/* Rows of dtype that somebody brings along. */
void oracle_x(const struct oracle *o, int member, size_t t, void *row);
void oracle_result(const struct oracle *o, const struct oracle_pair *p,
		   void *row);
void oracle_grad_row(const struct oracle *o, const struct oracle_pair *p,
		     void *row);
void oracle_grad_out(const struct oracle *o, int member, size_t t, void *row);
float oracle_weight(const struct oracle *o, int member, size_t i);

/*
 * What the exchanges leave on a member, written to images of all of its memory
 * there; the rest of an image stays.
 */
void oracle_dispatch_rows(const struct oracle *o, int me, void *rows,
			  float *scales);
void oracle_results(const struct oracle *o, int me, void *rows);
void oracle_grads(const struct oracle *o, int me, void *rows);
void oracle_combine(const struct oracle *o, int me, void *out);
void oracle_dispatch_backward(const struct oracle *o, int me, void *grad_x);
void oracle_combine_backward(const struct oracle *o, int me, void *grad_rows);

/* grad_weights of all of a member's pairs, and how wrong they may be. */
void oracle_grad_weights(const struct oracle *o, int me, double *value,
			 double *tolerance);

#ifdef __cplusplus
}
#endif

#endif
