/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A module that the GPU's driver loads from a file: its kernels can call the
 * library after shmemx_module_init. PES: 1 2
 */
#include <dlfcn.h>

#include "common.h"
#include "loaded.h"

#define MODULE "tests/gpu/loaded_kernel.module"

/* CUDA's driver and HIP have these in the same form. */
static struct {
	int (*load)(void **module, const char *path);
	int (*function)(void **function, void *module, const char *name);
	int (*launch)(void *function, unsigned int grid_x, unsigned int grid_y,
		      unsigned int grid_z, unsigned int block_x,
		      unsigned int block_y, unsigned int block_z,
		      unsigned int shared_bytes, void *stream, void **params,
		      void **extra);
} driver;

static void *symbol(void *library, const char *name)
{
	void *p = dlsym(library, name);

	if (!p)
		gpu_fail("no %s\n", name);
	return p;
}

static void driver_open(void)
{
	const int cuda = !strcmp(shmemx_platform(), "cuda");
	void *library = dlopen(cuda ? "libcuda.so.1" : NULL, RTLD_NOW);

	driver.load = symbol(library, cuda ? "cuModuleLoad" : "hipModuleLoad");
	driver.function = symbol(library, cuda ? "cuModuleGetFunction" :
						 "hipModuleGetFunction");
	driver.launch = symbol(library, cuda ? "cuLaunchKernel" :
					       "hipModuleLaunchKernel");
}

static void try_module(long *dest)
{
	struct loaded_args args = { dest, 100 + gpu_me, (gpu_me + 1) % gpu_n };
	void *module = NULL, *function = NULL, *params[] = { &args };

	GPU_CHECK_EQ(driver.load(&module, MODULE), 0);
	GPU_CHECK_EQ(shmemx_module_init(module), 0);
	GPU_CHECK_EQ(driver.function(&function, module, "loaded"), 0);
	GPU_CHECK_EQ(driver.launch(function, 1, 1, 1, 1, 1, 1, 0, NULL, params,
				   NULL),
		     0);
	gpu_sync();
	shmem_barrier_all();
	GPU_CHECK_EQ(shmem_long_g(dest, gpu_me),
		     100 + (gpu_me + gpu_n - 1) % gpu_n);
}

int main(void)
{
	long *dest;

	gpu_begin();
	if (!strcmp(shmemx_platform(), "cpu")) {
		puts("the CPU platform loads no modules");
		gpu_end();
		return 77;
	}
	dest = shmem_calloc(1, sizeof(*dest));
	driver_open();
	if (driver.load && driver.function && driver.launch)
		try_module(dest);
	shmem_free(dest);
	return gpu_end();
}
