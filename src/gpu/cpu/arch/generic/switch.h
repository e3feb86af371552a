/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

static void cpu_context_switch(struct cpu_context *from, struct cpu_context *to)
{
	swapcontext(&from->u, &to->u);
}

static int cpu_context_make(struct cpu_context *context, char *stack, char *top,
			    void (*entry)(void))
{
	if (getcontext(&context->u))
		return -errno;
	context->u.uc_stack.ss_sp = stack;
	context->u.uc_stack.ss_size = (size_t)(top - stack);
	context->u.uc_link = NULL;
	makecontext(&context->u, entry, 0);
	return 0;
}
