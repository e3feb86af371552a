/* SPDX-License-Identifier: BSD-3-Clause */
/* struct cpu_context: a place of execution; see switch.h. */
#ifdef __x86_64__
#include "gpu/cpu/arch/x86_64/context.h"
#else
#include "gpu/cpu/arch/generic/context.h"
#endif
