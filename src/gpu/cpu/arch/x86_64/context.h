/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All that a call preserves lies on the stack, so a context is a stack
 * pointer. swapcontext() would make a system call for the signal mask.
 */
struct cpu_context {
	void *sp;
};
