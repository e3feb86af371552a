/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdint.h>

void cpu_context_switch(struct cpu_context *from, struct cpu_context *to);

/* clang-format off */
__asm__(".text\n"
	".p2align 4\n"
	".hidden cpu_context_switch\n"
	".globl cpu_context_switch\n"
	".type cpu_context_switch, @function\n"
	"cpu_context_switch:\n"
	"	.cfi_startproc\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq (%rsi), %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size cpu_context_switch, . - cpu_context_switch\n");
/* clang-format on */

/* As a call would: at entry, sp + 8 is a multiple of 16. */
static int cpu_context_make(struct cpu_context *context, char *stack, char *top,
			    void (*entry)(void))
{
	uintptr_t *sp = (uintptr_t *)((uintptr_t)top & ~(uintptr_t)15);

	(void)stack;
	*--sp = 0; /* where entry would return: the end of a backtrace */
	*--sp = (uintptr_t)entry;
	for (int i = 0; i < 6; i++)
		*--sp = 0;
	context->sp = sp;
	return 0;
}
