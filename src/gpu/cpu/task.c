/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "gpu/cpu/rows.h"
#include "gpu/cpu/stream.h"

struct cpu_task *cpu_task_create(size_t args_bytes)
{
	const size_t align = _Alignof(struct cpu_task);
	const size_t bytes = sizeof(struct cpu_task) + args_bytes;
	struct cpu_task *task =
		aligned_alloc(align, (bytes + align - 1) / align * align);

	if (!task) {
		shmemi_log_error("no memory for an operation on a stream");
		return NULL;
	}
	memset(task, 0, sizeof(*task));
	return task;
}

/* Events are not in graphs. */
struct cpu_task *cpu_task_clone(const struct cpu_task *task)
{
	const size_t args_bytes = task->launch.kernel ? task->bytes : 0;
	struct cpu_task *clone = cpu_task_create(args_bytes);

	if (!clone)
		return NULL;
	*clone = *task;
	if (args_bytes)
		memcpy(clone->args, task->args, args_bytes);
	clone->launch.args = clone->args;
	return clone;
}

void cpu_task_destroy(struct cpu_task *task)
{
	if (task->event && !--task->event->users)
		free(task->event);
	free(task);
}

static void copy_run(const struct cpu_task *task, struct cpu_runner *runner)
{
	(void)runner;
	cpu_copy(task->dst, task->src, task->bytes);
}

int cpu_copy_async(void *dst, const void *src, size_t bytes, void *stream)
{
	struct cpu_task *task = cpu_task_create(0);

	if (!task)
		return -ENOMEM;
	task->run = copy_run;
	task->dst = dst;
	task->src = src;
	task->bytes = bytes;
	return cpu_stream_put(cpu_stream_of(stream), task);
}

static void fill_run(const struct cpu_task *task, struct cpu_runner *runner)
{
	(void)runner;
	cpu_fill(task->dst, task->byte, task->bytes);
}

int cpu_fill_async(void *dst, int byte, size_t bytes, void *stream)
{
	struct cpu_task *task = cpu_task_create(0);

	if (!task)
		return -ENOMEM;
	task->run = fill_run;
	task->dst = dst;
	task->byte = byte;
	task->bytes = bytes;
	return cpu_stream_put(cpu_stream_of(stream), task);
}

static void launch_run(const struct cpu_task *task, struct cpu_runner *runner)
{
	cpu_runner_run(runner, &task->launch);
}

static int launch_check(const struct shmemg_kernel *kernel, int n_wgs,
			int n_items)
{
	if (kernel->cpu && n_wgs > 0 && n_items > 0 &&
	    n_items <= CPU_WG_ITEMS_MAX)
		return 0;
	shmemi_log_error("can't launch kernel %s on %d work-groups of %d "
			 "work-items: %s",
			 kernel->name, n_wgs, n_items,
			 kernel->cpu ? "1 to 1024 work-items, and 1 or more "
				       "work-groups, were expected" :
				       "it was not compiled for the cpu");
	return -EINVAL;
}

int cpu_launch(const struct shmemg_kernel *kernel, int n_wgs, int n_items,
	       const void *args, size_t bytes, void *stream)
{
	int rc = launch_check(kernel, n_wgs, n_items);
	struct cpu_task *task = rc ? NULL : cpu_task_create(bytes);

	if (!task)
		return rc ? rc : -ENOMEM;
	task->run = launch_run;
	task->bytes = bytes;
	if (bytes)
		memcpy(task->args, args, bytes);
	task->launch.name = kernel->name;
	task->launch.kernel = kernel->cpu;
	task->launch.args = task->args;
	task->launch.n_wgs = (unsigned int)n_wgs;
	task->launch.n_items = (unsigned int)n_items;
	return cpu_stream_put(cpu_stream_of(stream), task);
}

int cpu_max_wgs(const struct shmemg_kernel *kernel, int n_items, int *n_wgs)
{
	int rc = launch_check(kernel, 1, n_items);

	if (!rc)
		*n_wgs = (int)cpu_grid_max_wgs((unsigned int)n_items);
	return rc;
}
