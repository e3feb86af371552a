/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels in two units of a program and in a shared object that is opened after
 * init, closed and opened again; init and finalize twice.
 * PES: 1 2 3
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "common.h"
#include <shmem/device.h>
#include "modules.h"

SHMEMX_KERNEL(module_main_add, struct module_args, a)
{
	const int next = (shmem_my_pe() + 1) % shmem_n_pes();

	shmem_long_atomic_add(a.word, a.add, next);
	shmem_quiet();
}

static void check_word(const struct gpu_mem *m, long want)
{
	shmem_barrier_all();
	gpu_mem_pull(m, m->bytes);
	GPU_CHECK_EQ(*(long *)m->host, want);
	shmem_barrier_all();
}

static void *dso_open(void)
{
	char path[4096];
	const ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 64);
	void *dso;

	path[n > 0 ? n : 0] = '\0';
	strcpy(strrchr(path, '/') + 1, MODULE_DSO);
	dso = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!dso)
		gpu_fail("%s", dlerror());
	return dso;
}

static void dso_run(const struct module_args *args)
{
	void *dso = dso_open();
	int (*run)(const struct module_args *);

	if (!dso)
		return;
	*(void **)&run = dlsym(dso, "module_dso_run");
	if (run)
		GPU_CHECK_EQ(run(args), 0);
	else
		gpu_fail("%s", dlerror());
	dlclose(dso);
}

static int once(void)
{
	struct gpu_mem m;
	struct module_args args;

	gpu_begin();
	m = gpu_mem_new(sizeof(long));
	gpu_mem_fill(&m, 0, sizeof(long));
	args.word = (long *)m.dev;
	args.add = 1;
	shmem_barrier_all();
	GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(module_main_add), 1, 10,
				   &args, sizeof(args), NULL), 0);
	gpu_sync();
	check_word(&m, 10);
	args.add = 100;
	GPU_CHECK_EQ(module_other_run(&args), 0);
	check_word(&m, 1010);
	args.add = 10000;
	dso_run(&args);
	dso_run(&args);
	check_word(&m, 201010);
	gpu_mem_free(&m);
	return gpu_end();
}

int main(void)
{
	const int first = once();

	return once() | first;
}
