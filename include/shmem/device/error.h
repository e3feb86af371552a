/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Misuse found by kernels: the first one of this PE is recorded for its host,
 * which reports it at the next call; the work-item that found it ends, and
 * with SHMEM_CHECK=1 those that wait in vain end too.
 *
 * On AMD's GPUs a lane can't end alone. The other lanes of its wave end with
 * it, at once or when they come to where the paths of the wave would meet
 * again; no barrier of the work-group waits for them. Stores that were made
 * still arrive.
 */
#ifndef SHMEM_DEVICE_ERROR_H
#define SHMEM_DEVICE_ERROR_H

#include <shmem/device/order.h>

/*
 * Before a loop that is to stay one: unrolled, what follows from diverging
 * lanes takes so many registers that each caller needs memory for them. And
 * before one on words that are to stay in registers.
 */
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define SHMEMD_ROLLED _Pragma("unroll 1")
#define SHMEMD_UNROLLED _Pragma("unroll")
#else
#define SHMEMD_ROLLED
#define SHMEMD_UNROLLED
#endif

SHMEMD_FN void shmemd_error_text(char *to, const char *text, size_t bytes)
{
	size_t i;

	SHMEMD_ROLLED
	for (i = 0; i + 1 < bytes && text[i]; i++)
		shmemd_store8(to + i, (uint8_t)text[i]);
	shmemd_store8(to + i, 0);
}

/*
 * Records the misuse and ends this work-item; does not return.
 *
 * api    name of the routine
 * what   the argument and what was expected
 * value  the address, handle or number that was wrong
 * pe     the routine's PE argument, -1 if it has none
 */
SHMEMD_FN void shmemd_misuse_record(const char *api, const char *what,
				    uint64_t value, int counts,
				    uint64_t expected, int pe)
{
	struct shmemd_error *e = shmemd_block.error;

	if (e && shmemd_amo32(SHMEMD_CSWAP, &e->state, SHMEMD_ERROR_WRITING,
			      SHMEMD_ERROR_NONE) == SHMEMD_ERROR_NONE) {
		shmemd_store32(&e->pe, (uint32_t)pe);
		shmemd_store32(&e->wg, shmemd_wg());
		shmemd_store32(&e->item, shmemd_item());
		shmemd_store64(&e->value, value);
		if (counts) {
			shmemd_store64(&e->expected, expected);
			shmemd_store32(&e->counts, 1);
		}
		shmemd_error_text(e->routine, api, sizeof(e->routine));
		shmemd_error_text(e->what, what, sizeof(e->what));
		shmemd_fence_release();
		shmemd_store32(&e->state, SHMEMD_ERROR_WRITTEN);
	}
	shmemd_end();
}

SHMEMD_FN void shmemd_misuse_inline(const char *api, const char *what,
				    uint64_t value, int pe)
{
	shmemd_misuse_record(api, what, value, 0, 0, pe);
}

/*
 * Of two counts that differ: "argument: what the expected one is", which stands
 * behind it, and behind that the PE, unless it is -1. By one item, at the end of
 * its part in a group's call, as it may return.
 */
SHMEMD_SLOW void shmemd_misuse_counts(const char *api, const char *what,
				      uint64_t value, uint64_t expected, int pe)
{
	const uintptr_t ctx = (uintptr_t)SHMEM_CTX_DEFAULT;
	const struct shmemd_gda *gda = &shmemd_block.gda;

	/* What a network that has failed did not bring is no misuse. */
	if (gda->format && shmemd_load32(&gda->failures[ctx].state))
		return;
	shmemd_misuse_record(api, what, value, 1, expected, pe);
}

/* shmemd_misuse_inline, to be called from inlined code. */
SHMEMD_SLOW void shmemd_misuse(const char *api, const char *what,
			       uint64_t value, int pe)
{
	shmemd_misuse_inline(api, what, value, pe);
}

/* A wait without a limit; zero it before the first poll. */
struct shmemd_wait {
	struct shmemd_pause pause;
	unsigned int polls;
};

/* Polls between two looks at the error record. */
#define SHMEMD_WAIT_LOOK 1024

/*
 * Between two polls of a wait: gives others the processor, and now and then
 * ends this work-item if a misuse on this PE made the wait vain.
 */
SHMEMD_FN void shmemd_wait_turn(struct shmemd_wait *w)
{
	shmemd_pause(&w->pause);
	if (SHMEMD_LIKELY(++w->polls % SHMEMD_WAIT_LOOK) || !shmemd_block.check)
		return;
	if (shmemd_load32(&shmemd_block.error->state) != SHMEMD_ERROR_NONE)
		shmemd_end();
}

#endif
