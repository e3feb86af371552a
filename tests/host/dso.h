/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the library keeps its variables. */
#ifndef HOST_DSO_H
#define HOST_DSO_H

#pragma GCC visibility push(default)
long *dso_static(void);
long *dso_global(void);
#pragma GCC visibility pop

#endif
