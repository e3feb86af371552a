/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands before the library's shmem_float_put_signal, which is a weak symbol,
 * and turns one bit of each block that PE 1 puts to itself in a dispatch
 * (SPOIL=out) or a return (SPOIL=back).
 */
#include <pshmem.h>
#include <stdlib.h>
#include <string.h>

static uint64_t *first_signal;

static int spoils(const uint64_t *sig_addr, int pe)
{
	const char *way = getenv("SPOIL");

	/* A dispatch comes first, and its signal is not the return's. */
	if (!first_signal)
		first_signal = (uint64_t *)sig_addr;
	return way && shmem_my_pe() == 1 && pe == 1 &&
	       (sig_addr == first_signal) == !strcmp(way, "out");
}

void shmem_float_put_signal(float *dest, const float *source, size_t nelems,
			    uint64_t *sig_addr, uint64_t signal, int sig_op,
			    int pe)
{
	float copy[65536];
	uint32_t bits;

	if (!spoils(sig_addr, pe) || nelems > 65536) {
		pshmem_float_put_signal(dest, source, nelems, sig_addr, signal,
					sig_op, pe);
		return;
	}
	memcpy(copy, source, nelems * sizeof(*copy));
	memcpy(&bits, copy, sizeof(bits));
	bits ^= 1U << 20;
	memcpy(copy, &bits, sizeof(bits));
	pshmem_float_put_signal(dest, copy, nelems, sig_addr, signal, sig_op,
				pe);
}
