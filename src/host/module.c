/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/module.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/log.h"
#include "gpu/gpu.h"
#include "host/check.h"

#pragma GCC visibility push(default)
#include <shmem/platform.h>
#include <shmem/runtime.h>
#pragma GCC visibility pop

static struct {
	pthread_mutex_t lock;
	struct shmemx_module *first;
	struct shmemd_block block;
	const char *platform; /* whose units are filled, NULL before init */
	atomic_int n_waiting; /* for shmemi_modules_retry() */
} modules = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const char *error_text(const struct shmemx_runtime *runtime, int error)
{
	return runtime->text ? runtime->text(error) : strerror(error);
}

/* Units of other platforms are linked in and not used. Locked. */
static int is_ours(const struct shmemx_module *m)
{
	return modules.platform &&
	       !strcmp(m->runtime->platform, modules.platform);
}

/* 0, -EINVAL logged, or a number of the unit's runtime. Locked. */
static int fill(struct shmemx_module *m)
{
	int rc;

	if (m->layout != SHMEMD_LAYOUT) {
		shmemi_log_error(
			"an object file with kernels was compiled with "
			"headers of layout %u, this library has %u",
			m->layout, SHMEMD_LAYOUT);
		return -EINVAL;
	}
	rc = m->runtime->set(shmemg_device.device, &modules.block,
			     sizeof(modules.block));
	m->filled = !rc;
	return rc;
}

/*
 * Units of the library itself, for each platform it was built with: kernels and
 * those of MoE exchanges.
 */
enum { OWN = 2 };
#ifdef SIROCCO_GPU_PLATFORM
enum { OWN_OTHERS = OWN };
#else
enum { OWN_OTHERS = 0 };
#endif

/* Kernels of which none can run. The program's units are the latest. Locked. */
static void warn_if_others(void)
{
	const char *other = NULL;
	int n_ours = 0, n_others = 0;

	for (struct shmemx_module *m = modules.first; m; m = m->next) {
		if (is_ours(m)) {
			n_ours++;
			continue;
		}
		n_others++;
		if (!other)
			other = m->runtime->platform;
	}
	if (n_ours == OWN && n_others > OWN_OTHERS)
		shmemi_log_warn("the program's kernels were compiled for "
				"platform %s, but this PE runs on %s, where "
				"they can't call the library or be launched",
				other, modules.platform);
}

static int fill_all(void)
{
	for (struct shmemx_module *m = modules.first; m; m = m->next) {
		int rc = is_ours(m) ? fill(m) : 0;

		if (rc > 0 && modules.block.layout)
			shmemi_log_error("constant memory for kernels could "
					 "not be written: %s",
					 error_text(m->runtime, rc));
		if (rc && modules.block.layout)
			return rc < 0 ? rc : -EIO;
	}
	return 0;
}

int shmemi_modules_fill(const struct shmemd_block *block)
{
	int rc, first;

	pthread_mutex_lock(&modules.lock);
	first = block->layout && !modules.block.layout;
	modules.block = *block;
	if (block->layout)
		modules.platform = shmemg->name;
	if (first)
		warn_if_others();
	atomic_store(&modules.n_waiting, 0);
	rc = fill_all();
	pthread_mutex_unlock(&modules.lock);
	return rc;
}

/* HIP's runtime gets to know a unit after the unit's other constructors. */
static void fill_late(struct shmemx_module *m)
{
	if (modules.block.layout && is_ours(m) && fill(m) > 0)
		atomic_fetch_add(&modules.n_waiting, 1);
}

void shmemi_modules_retry(void)
{
	if (likely(!atomic_load_explicit(&modules.n_waiting,
					 memory_order_relaxed)))
		return;
	pthread_mutex_lock(&modules.lock);
	atomic_store(&modules.n_waiting, 0);
	for (struct shmemx_module *m = modules.first; m; m = m->next)
		if (!m->filled && m->layout == SHMEMD_LAYOUT)
			fill_late(m);
	pthread_mutex_unlock(&modules.lock);
}

void shmemx_module_register(struct shmemx_module *module)
{
	pthread_mutex_lock(&modules.lock);
	module->next = modules.first;
	modules.first = module;
	fill_late(module);
	pthread_mutex_unlock(&modules.lock);
}

void shmemx_module_unregister(struct shmemx_module *module)
{
	struct shmemx_module **at = &modules.first;

	pthread_mutex_lock(&modules.lock);
	while (*at && *at != module)
		at = &(*at)->next;
	if (*at)
		*at = module->next;
	pthread_mutex_unlock(&modules.lock);
}

/* By the names that nvcc and clang give it. */
static int block_find(void *module, void **at, size_t *bytes)
{
	static const char *const names[] = { "shmemd_block",
					     "_ZL12shmemd_block" };
	int rc = -ENOENT;

	for (size_t i = 0; rc == -ENOENT && i < 2; i++)
		rc = shmemg->module_symbol(module, names[i], at, bytes);
	return rc;
}

int shmemx_module_init(void *module)
{
	size_t bytes;
	void *at;
	int rc;

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	shmemi_modules_retry();
	if (!module)
		return 0;
	rc = block_find(module, &at, &bytes);
	if (rc == -ENOENT)
		shmemi_log_error("%s: module %p has no kernels that include "
				 "<shmem.h>",
				 __func__, module);
	else if (rc == -EOPNOTSUPP)
		shmemi_log_error("%s: platform %s has no modules", __func__,
				 shmemg->name);
	if (rc)
		return rc;
	if (bytes != sizeof(modules.block)) {
		shmemi_log_error("%s: module %p was compiled with headers of "
				 "another version: its block has %zu bytes, "
				 "expected %zu",
				 __func__, module, bytes,
				 sizeof(modules.block));
		return -EINVAL;
	}
	return shmemg->copy(at, &modules.block, bytes);
}
