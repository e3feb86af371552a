/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/gpu.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/log.h"

/* By preference. */
static const struct shmemg_platform *const platforms[] = {
#ifdef SIROCCO_GPU_PLATFORM
	&SIROCCO_GPU_PLATFORM,
#endif
	&shmemg_cpu,
};
#define N_PLATFORMS (sizeof(platforms) / sizeof(*platforms))

const struct shmemg_platform *shmemg;
struct shmemg_info shmemg_device;

/* The words of all platforms, for a message. */
static const char *platform_words(char *text, size_t bytes)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < N_PLATFORMS; i++) {
		strncat(text, i ? ", " : "", bytes - used - 1);
		used = strlen(text);
		strncat(text, platforms[i]->name, bytes - used - 1);
		used = strlen(text);
	}
	return text;
}

static int platform_find(const char *word,
			 const struct shmemg_platform **platform, int *n)
{
	const bool any = !strcmp(word, "auto");
	const char *why = "this library was built without it";
	char words[64];
	int rc;

	for (size_t i = 0; i < N_PLATFORMS; i++) {
		*platform = platforms[i];
		if (!any && strcmp(word, platforms[i]->name))
			continue;
		rc = platforms[i]->count(n, &why);
		if (rc)
			return rc;
		if (*n > 0)
			return 0;
		shmemi_trace(INIT, "platform %s: no device: %s",
			     platforms[i]->name, why);
	}
	shmemi_log_error("SHMEM_PLATFORM=%s: there is no device: %s (auto or "
			 "one of %s was expected)",
			 word, why, platform_words(words, sizeof(words)));
	return -ENODEV;
}

int shmemg_open(const char *word, int device, int local_rank)
{
	const struct shmemg_platform *platform;
	int n, rc;

	rc = platform_find(word, &platform, &n);
	if (rc)
		return rc;
	if (device < -1 || device >= n) {
		shmemi_log_error("SHMEM_GPU=%d: platform %s has %d device%s, "
				 "counted from 0",
				 device, platform->name, n, n == 1 ? "" : "s");
		return -ENODEV;
	}
	rc = platform->open(device < 0 ? local_rank % n : device);
	if (rc)
		return rc;
	rc = platform->info(&shmemg_device);
	if (rc) {
		platform->close();
		return rc;
	}
	shmemg = platform;
	shmemi_trace(INIT, "platform %s: device %d of %d: %s, waves of %d, %s",
		     platform->name, shmemg_device.device, n,
		     shmemg_device.name, shmemg_device.wave_size,
		     shmemg_device.memory);
	return 0;
}

void shmemg_close(void)
{
	if (shmemg)
		shmemg->close();
	shmemg = NULL;
}
