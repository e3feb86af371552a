/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads ops as a program of allocator calls, runs it on two instances and on
 * a model which is a sorted list of blocks, and aborts with a message where
 * they differ: overlap, alignment, a request refused although a gap holds it,
 * a wild or double free accepted, records that do not agree, free blocks that
 * do not join.
 */
#ifndef ALLOC_ORACLE_H
#define ALLOC_ORACLE_H

#include <stddef.h>
#include <stdint.h>

void alloc_oracle_run(const uint8_t *ops, size_t nops_bytes);

#endif
