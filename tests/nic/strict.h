/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests of the engines: one process has a queue of a vendor's format whose
 * entries the test makes by hand, another one its target. Each case has
 * processes of its own, as the NIC ends one that is wrong.
 */
#ifndef STRICT_H
#define STRICT_H

#include <endian.h>
#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdint.h>

#define STRICT_BYTES 65536 /* of each side's region */
#define STRICT_PLACES 64

struct strict {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	char *memory;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	/* The other side's. */
	char *peer; /* its region, as mapped here */
	uint64_t peer_addr;
	uint32_t peer_rkey;
	/* What kernels write and read. */
	char *entries;
	uint32_t n; /* entries of the ring, or blocks */
	char *completions;
	uint32_t n_completions;
	uint64_t *doorbell;
	uint32_t *record; /* mlx5: of sends */
	char *table;	  /* bnxt: of messages */
	uint32_t n_table;
	uint64_t sq_bits, cq_bits; /* ionic: of doorbells */
	uint64_t *cq_doorbell;
	/* The test's. */
	uint32_t psn; /* of the next packet */
	uint64_t posted, completed;
};

struct strict_format {
	const char *device; /* for NIC_DEVICES */
	/* Makes cq and qp; then connected; then finds what kernels write. */
	void (*make)(struct strict *s);
	void (*found)(struct strict *s);
	void (*end)(struct strict *s); /* after qp and cq */
	void (*destroy_qp)(struct ibv_qp *qp);
	void (*destroy_cq)(struct ibv_cq *cq);
	int (*modify_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
};

/* Queues of STRICT_PLACES entries, strict_<x>_queue.c. */
extern const struct strict_format strict_mlx5, strict_bnxt, strict_ionic;
/* Before strict_main: a CQ of mlx5 that counts what was consumed. */
extern int strict_mlx5_counts;
/* Completions of ionic that overwrite each other. */
extern int strict_ionic_collapsed;

struct strict_case {
	const char *name;
	void (*run)(struct strict *s, const struct strict_case *self);
	const char *message; /* that the NIC ends it with; NULL: it is right */
	/* For run. */
	int kind;
	int offset;
	int value;
};

int strict_main(const struct strict_format *format,
		const struct strict_case *cases, size_t n);

/* A function of the NIC's library. */
void *strict_symbol(const char *name);
/* The same, of what verbs.h hides behind macros. */
int strict_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
struct ibv_qp *strict_create_qp(struct ibv_pd *pd,
				struct ibv_qp_init_attr *attr);
void strict_dealloc_pd(struct ibv_pd *pd);
void strict_destroy_qp(struct ibv_qp *qp);
void strict_destroy_cq(struct ibv_cq *cq);

/* Ends the case as wrong. */
__attribute__((noreturn, format(printf, 1, 2))) void
strict_fail(const char *format, ...);
void strict_expect(const char *what, uint64_t got, uint64_t expected);
/* Time passes; a case that takes 10 s fails. */
void strict_pause(void);
/* For the NIC to see a mistake; it never returns from that. */
__attribute__((noreturn)) void strict_refused(void);

/* Pseudo-random bytes. */
void strict_fill(void *p, size_t bytes, uint64_t seed);

static inline void put8(void *p, int at, uint8_t v)
{
	((uint8_t *)p)[at] = v;
}

static inline void put_be16(void *p, int at, uint16_t v)
{
	v = htobe16(v);
	__builtin_memcpy((char *)p + at, &v, 2);
}

static inline void put_be32(void *p, int at, uint32_t v)
{
	v = htobe32(v);
	__builtin_memcpy((char *)p + at, &v, 4);
}

static inline void put_be64(void *p, int at, uint64_t v)
{
	v = htobe64(v);
	__builtin_memcpy((char *)p + at, &v, 8);
}

static inline void put_le32(void *p, int at, uint32_t v)
{
	v = htole32(v);
	__builtin_memcpy((char *)p + at, &v, 4);
}

static inline void put_le64(void *p, int at, uint64_t v)
{
	v = htole64(v);
	__builtin_memcpy((char *)p + at, &v, 8);
}

#endif
