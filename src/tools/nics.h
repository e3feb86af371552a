/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TOOLS_NICS_H
#define TOOLS_NICS_H

#include <stdbool.h>

/*
 * Prints, on PE 0, what each PE makes of the NICs that kernels could drive.
 * Opens no more of the library than that takes. Collective over the job. How
 * many errors there were, logged; exits if the PEs can't meet.
 */
int nics_print(bool json);

#endif
