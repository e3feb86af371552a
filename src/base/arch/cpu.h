/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What differs by processor:
 *
 * cpu_relax()             a pause in a loop that polls
 * stream_copy()           a copy whose stores may bypass the caches
 * stream_before_flag()    such stores, then any later store
 */
#ifdef __x86_64__
#include "base/arch/x86_64/cpu.h"
#else
#include "base/arch/generic/cpu.h"
#endif
