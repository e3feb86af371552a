/* SPDX-License-Identifier: BSD-3-Clause */
/* Between a program and the kernel of a module that it loads by hand. */
#ifndef GPU_LOADED_H
#define GPU_LOADED_H

struct loaded_args {
	long *dest;
	long value;
	int pe;
};

#endif
