/* SPDX-License-Identifier: BSD-3-Clause */
/* The other units with kernels of modules.c. */
#ifndef GPU_MODULES_H
#define GPU_MODULES_H

/* What each unit's kernel does: adds its number to a word of the next PE. */
struct module_args {
	long *word;
	long add;
};

#ifdef __cplusplus
extern "C" {
#endif

/* Launches the unit's kernel and waits; 0 or an error. */
int module_other_run(const struct module_args *args);
__attribute__((visibility("default"))) int
module_dso_run(const struct module_args *args);

#ifdef __cplusplus
}
#endif

#endif
