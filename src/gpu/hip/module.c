/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/hip/hip.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "base/log.h"

/* hipModuleGetGlobal; of CUDA, a call of the driver, which has the same form. */
typedef int (*global_fn)(void **p, size_t *bytes, void *module,
			 const char *name);

#define NOT_FOUND 500 /* of both */

/* Who has a module has the driver's library. */
static global_fn global_find(void)
{
	void *driver;

	if (!strcmp(HIP_WORD, "hip"))
		return (global_fn)dlsym(RTLD_DEFAULT, "hipModuleGetGlobal");
	driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	return driver ? (global_fn)dlsym(driver, "cuModuleGetGlobal_v2") : NULL;
}

int hip_module_symbol(void *module, const char *name, void **p, size_t *bytes)
{
	const global_fn global = global_find();
	int was, rc;

	if (!global)
		return -EOPNOTSUPP;
	was = hip_enter();
	rc = global(p, bytes, module, name);
	hip_leave(was);
	if (rc && rc != NOT_FOUND)
		shmemi_log_error("GPU %d: symbol %s of module %p: error %d",
				 hip_device.index, name, module, rc);
	return !rc ? 0 : rc == NOT_FOUND ? -ENOENT : -EIO;
}
