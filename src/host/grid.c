/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/grid.h"

#include <pthread.h>
#include <string.h>

#include "base/log.h"
#include "host/check.h"

/* What a platform said of a kernel; there are few, so they are looked through.
 */
#define KNOWN_MAX 128
static struct known {
	const struct shmemg_kernel *kernel;
	int n_items, n;
} known[KNOWN_MAX];
static int n_known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* PEs that have this one's device, at most. */
static int sharers(void)
{
	int n = shmemi_team_shared.n_pes, n_devices = 1;
	const char *why;

	if (shmemi.same_device || shmemg->count(&n_devices, &why) ||
	    n_devices < 1)
		return n;
	return (n + n_devices - 1) / n_devices;
}

static int max_wgs(const char *api, const struct shmemg_kernel *kernel,
		   int n_items)
{
	int n, rc;

	for (int i = 0; i < n_known; i++)
		if (known[i].kernel == kernel && known[i].n_items == n_items)
			return known[i].n;
	rc = shmemg->max_wgs(kernel, n_items, &n);
	if (rc)
		shmemi_fatal("%s: no size for its kernel: %s", shmemi_api(api),
			     strerror(-rc));
	if (n_known < KNOWN_MAX)
		known[n_known++] = (struct known){ kernel, n_items, n };
	return n;
}

static int part(const char *api, const struct shmemg_kernel *kernel,
		int n_items, int divisor)
{
	int n;

	pthread_mutex_lock(&lock);
	n = max_wgs(api, kernel, n_items) / divisor;
	pthread_mutex_unlock(&lock);
	return n > 1 ? n : 1;
}

int shmemi_grid_filling(const char *api, const struct shmemg_kernel *kernel,
			int n_items)
{
	return part(api, kernel, n_items, sharers());
}

int shmemi_grid_fitting(const char *api, const struct shmemg_kernel *kernel,
			int n_items)
{
	return part(api, kernel, n_items, 2 * sharers());
}
