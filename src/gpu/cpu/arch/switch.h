/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpu_context_make()    a context that will start in entry, which never
 *                       returns, on the stack up to top; 0 or a negative errno
 * cpu_context_switch()  leaves here and goes on where `to` left; returns when
 *                       somebody goes on with `from`
 *
 * For one file only: it holds assembly.
 */
#ifdef __x86_64__
#include "gpu/cpu/arch/x86_64/switch.h"
#else
#include "gpu/cpu/arch/generic/switch.h"
#endif
