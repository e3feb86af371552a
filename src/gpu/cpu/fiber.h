/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fibers: stacks that one thread runs in turn. A fiber stays on the thread
 * that it was first run on until it is made again.
 */
#ifndef GPU_CPU_FIBER_H
#define GPU_CPU_FIBER_H

#include <stdbool.h>
#include <stddef.h>

#include "gpu/cpu/arch/context.h"

struct cpu_fiber {
	struct cpu_context context;
	char *stack; /* its lowest byte; a page without access lies below */
	size_t bytes;
	void *fake; /* ASan's and TSan's record */
	void *tsan;
};

/* Addresses that n stacks take, and the fiber on the i-th of them. */
size_t cpu_fiber_area_bytes(unsigned int n);
int cpu_fiber_open(struct cpu_fiber *fiber, char *area, unsigned int i);
void cpu_fiber_close(struct cpu_fiber *fiber);

/* The thread itself, to be switched back to. */
void cpu_fiber_adopt(struct cpu_fiber *fiber);

/* Starts in entry when it is switched to, whatever it did before. */
int cpu_fiber_make(struct cpu_fiber *fiber, void (*entry)(void));

/* The first call of entry. */
void cpu_fiber_begun(struct cpu_fiber *fiber);

/* last: nobody will go on with `from` before it is made again. */
void cpu_fiber_switch(struct cpu_fiber *from, struct cpu_fiber *to, bool last);

#endif
