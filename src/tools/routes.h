/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TOOLS_ROUTES_H
#define TOOLS_ROUTES_H

/*
 * Initialises the library as a program would and prints, on PE 0, by which
 * conduit each PE reaches each segment of each other. Collective over the job.
 */
void routes_print(void);

#endif
