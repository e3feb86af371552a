/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Store buffering without its quiet: litmus.c must be able to fail. Skipped
 * where the processor, or too little of it, did not show it.
 * PES: 2
 */
#define LITMUS_WEAK
#include "litmus.c"
