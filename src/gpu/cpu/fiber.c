/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/cpu/fiber.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#include "gpu/cpu/arch/switch.h"
#include "gpu/cpu/sanitize.h"

#define GUARD_BYTES ((size_t)64 << 10) /* a page, whatever its size */

/*
 * Tops of stacks that all lie at the same offset of a page would share a few
 * sets of the first cache.
 */
#define COLOURS 31
#define COLOUR_BYTES 128

size_t cpu_fiber_area_bytes(unsigned int n)
{
	return n * (GUARD_BYTES + SANITIZE_STACK_BYTES);
}

int cpu_fiber_open(struct cpu_fiber *fiber, char *area, unsigned int i)
{
	char *stack = area + cpu_fiber_area_bytes(i) + GUARD_BYTES;

	if (mprotect(stack, SANITIZE_STACK_BYTES, PROT_READ | PROT_WRITE))
		return -errno;
	fiber->stack = stack;
	fiber->bytes = SANITIZE_STACK_BYTES - i % COLOURS * COLOUR_BYTES;
	fiber->tsan = sanitize_create();
	return 0;
}

void cpu_fiber_close(struct cpu_fiber *fiber)
{
	sanitize_destroy(fiber->tsan);
}

void cpu_fiber_adopt(struct cpu_fiber *fiber)
{
	pthread_attr_t attr;
	void *stack;

	fiber->tsan = sanitize_self();
	if (pthread_getattr_np(pthread_self(), &attr))
		return;
	pthread_attr_getstack(&attr, &stack, &fiber->bytes);
	fiber->stack = stack;
	pthread_attr_destroy(&attr);
}

int cpu_fiber_make(struct cpu_fiber *fiber, void (*entry)(void))
{
	fiber->fake = NULL;
	return cpu_context_make(&fiber->context, fiber->stack,
				fiber->stack + fiber->bytes, entry);
}

SANITIZE_NO_THREAD void cpu_fiber_begun(struct cpu_fiber *fiber)
{
	sanitize_switch_end(fiber->fake, NULL, NULL);
}

SANITIZE_NO_THREAD void cpu_fiber_switch(struct cpu_fiber *from,
					 struct cpu_fiber *to, bool last)
{
	sanitize_switch_begin(last ? NULL : &from->fake, to->stack, to->bytes);
	sanitize_switch(to->tsan);
	cpu_context_switch(&from->context, &to->context);
	sanitize_switch_end(from->fake, NULL, NULL);
}
