/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REFUSED_H
#define REFUSED_H

/* Makes each mistake in a process of its own; how many were not refused. */
int refused_run(void);

#endif
