/* SPDX-License-Identifier: BSD-3-Clause */
#include <ucontext.h>

struct cpu_context {
	ucontext_t u;
};
