/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/cpu/cpu.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "gpu/cpu/grid.h"
#include "gpu/cpu/rows.h"
#include "gpu/cpu/stream.h"

int cpu_count(int *n, const char **why)
{
	*n = 1;
	*why = "";
	return 0;
}

int cpu_open(int device)
{
	(void)device;
	return 0;
}

int cpu_close(void)
{
	cpu_stream_close(&cpu_stream_default);
	return 0;
}

static int usable_cores(void)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof(cores), &cores))
		return (int)sysconf(_SC_NPROCESSORS_ONLN);
	return CPU_COUNT(&cores);
}

int cpu_info(struct shmemg_info *info)
{
	struct utsname host;

	memset(info, 0, sizeof(*info));
	uname(&host);
	snprintf(info->name, sizeof(info->name), "CPU, %.40s", host.machine);
	info->memory_bytes = (size_t)sysconf(_SC_PHYS_PAGES) *
			     (size_t)sysconf(_SC_PAGESIZE);
	info->wave_size = shmemg_cpu_wave();
	info->n_units = usable_cores();
	info->max_wg_items = CPU_WG_ITEMS_MAX;
	info->host_access = 1;
	info->host_atomics = 1;
	info->memory = "memfd";
	return 0;
}

int cpu_peer_atomics(const char *bus)
{
	(void)bus;
	return 1;
}

#define CPU_ROW(row, params) .row = cpu_##row,
const struct shmemg_platform shmemg_cpu = {
	.name = "cpu",
	SHMEMG_OPS(CPU_ROW)
};
