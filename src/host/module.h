/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocks of translation units with kernels: shmem/device/module.h. */
#ifndef SHMEMI_MODULE_H
#define SHMEMI_MODULE_H

#include <shmem/device/state.h>

/*
 * Fills the block of each unit of this process' platform, now and as more come;
 * an all-zero block empties them, now and as more come. Warns if the program
 * has units of other platforms only. 0 or a negative errno, logged; emptying
 * does not fail.
 */
int shmemi_modules_fill(const struct shmemd_block *block);

/*
 * Units that came after init and could not be filled then, as their runtime did
 * not know them yet: tries again. Called before work is put on streams.
 */
void shmemi_modules_retry(void);

#endif
