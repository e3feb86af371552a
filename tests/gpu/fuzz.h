/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fuzzer's operations: made from a seed (fuzz_model.c), run by kernels
 * (fuzz.c), and applied one by one to a model of all PEs' memory.
 *
 * Time goes in steps with barriers between. In a step one half of each area is
 * only read, and each slot of the other half is written by one operation;
 * counters take what commutes.
 */
#ifndef GPU_FUZZ_H
#define GPU_FUZZ_H

#include "common.h"

enum {
	FUZZ_MAX_PES = 16,
	FUZZ_SLOTS = 6,
	FUZZ_SLOT_BYTES = 1024,
	FUZZ_HALF_BYTES = FUZZ_MAX_PES * FUZZ_SLOTS * FUZZ_SLOT_BYTES,
	FUZZ_COUNTERS = 16,
	FUZZ_AREAS = 2, /* in the device heap and in the host heap */
	FUZZ_MAX_OPS = FUZZ_MAX_PES * FUZZ_AREAS * FUZZ_SLOTS,
	FUZZ_WGS = 3,
	FUZZ_ITEMS = 100
};

struct fuzz_area {
	unsigned char bytes[2][FUZZ_HALF_BYTES];
	uint64_t counters[FUZZ_COUNTERS];
	uint64_t signal;
};

enum fuzz_kind {
	FUZZ_PUT,
	FUZZ_PUT_NBI,
	FUZZ_PUT_SIGNAL,
	FUZZ_PUT_SIGNAL_NBI,
	FUZZ_IPUT,
	FUZZ_IBPUT,
	FUZZ_P,
	FUZZ_SET,
	FUZZ_SWAP,
	FUZZ_ADD,
	FUZZ_FETCH_ADD,
	FUZZ_SIGNAL_ADD,
	FUZZ_XOR,
	FUZZ_GET,
	FUZZ_GET_NBI,
	FUZZ_IGET,
	FUZZ_KINDS
};

/* One operation of one PE, on one slot or counter of another's memory. */
struct fuzz_op {
	int kind, scope;
	int target, area, slot;
	int item; /* who calls, or is in the wave that calls */
	int counter;
	int from_area; /* the local end of a put, the far end of a get */
	size_t at, bytes; /* in the slot; a multiple of 4 in strided ones */
	size_t from;
	size_t stride, nelems;
	uint64_t value;
};

#ifdef __cplusplus
extern "C" {
#endif

/* How many operations each PE has in a step, and one PE's. */
size_t fuzz_op_count(void);
void fuzz_make(uint64_t seed, int step, int origin, struct fuzz_op *ops);

/* The model: all areas of all PEs. */
struct fuzz_area *fuzz_model(int pe, int area);
void fuzz_model_new(void);
void fuzz_apply(const struct fuzz_op *op, int origin, int half);

/* What a get of this PE must have got; the number of bytes, 0 if no get. */
size_t fuzz_got(const struct fuzz_op *op, int half, unsigned char *want);

#ifdef __cplusplus
}
#endif

#endif
