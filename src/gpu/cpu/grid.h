/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs launches on the calling thread: each work-item is a fiber. Work-groups
 * are resident together up to a number of work-items in all, and fewer where
 * other streams have the stacks; the others start as these end, as on a GPU.
 */
#ifndef GPU_CPU_GRID_H
#define GPU_CPU_GRID_H

struct cpu_launch {
	const char *name;
	void (*kernel)(const void *args);
	const void *args;
	unsigned int n_wgs, n_items;
};

struct cpu_runner;

/* Made and used on one thread. NULL without memory. */
struct cpu_runner *cpu_runner_create(void);
void cpu_runner_destroy(struct cpu_runner *runner);

/*
 * Ends the job if there is no memory for one work-group, or if work-items wait
 * for ever.
 */
void cpu_runner_run(struct cpu_runner *runner, const struct cpu_launch *launch);

/* Nothing is to be run for now: leaves many stacks to others. */
void cpu_runner_rest(struct cpu_runner *runner);

#define CPU_WG_ITEMS_MAX 1024
unsigned int cpu_grid_max_wgs(unsigned int n_items);

#endif
