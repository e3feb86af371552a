/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_survey.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "gpu/gpu.h"
#include "host/shmemi.h"

#define PROVIDERS_MAX 8

/* By the place in gda_providers: what load said, once it was called. */
static struct {
	int is_tried;
	int rc;
} loads[PROVIDERS_MAX];

static int is_wanted(const struct gda_provider *provider)
{
	static const enum shmemd_gda_format formats[] = {
		[SHMEMI_GDA_MLX5] = SHMEMD_GDA_MLX5,
		[SHMEMI_GDA_BNXT_RE] = SHMEMD_GDA_BNXT,
		[SHMEMI_GDA_IONIC] = SHMEMD_GDA_IONIC,
		[SHMEMI_GDA_VERBS] = SHMEMD_GDA_VERBS,
	};

	switch (shmemi.env.gda) {
	case SHMEMI_GDA_AUTO:
	case SHMEMI_GDA_NO:
		return !provider->by_host;
	default:
		return provider->format == formats[shmemi.env.gda];
	}
}

const char *gda_off(void)
{
	if (shmemi.env.gda == SHMEMI_GDA_NO)
		return "SHMEM_GDA=no";
	if (shmemi.env.gda == SHMEMI_GDA_AUTO && shmemg == &shmemg_cpu)
		return "SHMEM_GDA=auto takes none where kernels run on CPUs";
	return NULL;
}

static int load_once(int i)
{
	if (!loads[i].is_tried)
		loads[i].rc = gda_provider_load(gda_providers[i]);
	loads[i].is_tried = 1;
	return loads[i].rc;
}

void gda_providers_unload(void)
{
	memset(loads, 0, sizeof(loads));
}

/* The place of a provider for devices that are in software only. */
#define SOFTWARE PROVIDERS_MAX

/* The provider that a device's name tells of: its place; -1: any. */
static int named_by(const struct ibv_device *device)
{
	char bus[32];

	for (int i = 0; gda_providers[i]; i++)
		if (!strncmp(device->name, gda_providers[i]->name,
			     strlen(gda_providers[i]->name)))
			return i;
	gda_sysfs_bus(device, bus, sizeof(bus));
	return *bus ? -1 : SOFTWARE;
}

static void say_not_loaded(int i, char *why, size_t bytes)
{
	const char *name = gda_providers[i]->name;

	if (loads[i].rc == -ENOENT)
		snprintf(why, bytes, "the library for %s is not installed",
			 name);
	else if (loads[i].rc == -ENOSYS)
		snprintf(why, bytes, "the library for %s lacks direct queues",
			 name);
	else
		snprintf(why, bytes, "the library for %s can't be used: %s",
			 name, strerror(-loads[i].rc));
}

/* Libraries are loaded for devices that they may serve: others may be old. */
const struct gda_provider *gda_provider_for(struct ibv_device *device,
					    char *why, size_t bytes)
{
	const int named = named_by(device);

	snprintf(why, bytes, "%s",
		 shmemi.env.gda > SHMEMI_GDA_NO ?
			 "SHMEM_GDA asks for another kind" :
			 "kernels can't drive this kind; SHMEM_GDA=verbs "
			 "takes any");
	for (int i = 0; gda_providers[i]; i++) {
		const struct gda_provider *provider = gda_providers[i];

		if (!is_wanted(provider) ||
		    (named >= 0 && named != i && !provider->by_host))
			continue;
		if (!load_once(i) && provider->serves(device))
			return provider;
		if (loads[i].rc && named == i)
			say_not_loaded(i, why, bytes);
	}
	return NULL;
}
