/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "conduits/gda/gda_survey.h"
#include "host/shmemi.h"

struct gda_nic gda_nics[GDA_NICS_MAX];
unsigned int gda_n_nics;

/* One more reason, behind those that are there. */
static void reason_add(char *why, size_t bytes, const char *name,
		       const char *reason)
{
	const size_t used = strlen(why);

	snprintf(why + used, bytes - used, "%s%s: %s", used ? "; " : "", name,
		 reason);
}

/* Ports that the kernel knows to be down; 1 if one is not. */
static int has_port(const struct ibv_device *device)
{
	char state[32];
	unsigned int port = 1;

	for (; !gda_sysfs_read(device, state, sizeof(state), "ports/%u/state",
			       port);
	     port++)
		if (gda_list_allows(device->name, port) &&
		    (*state == '4' || *state == '5'))
			return 1;
	return port == 1;
}

/* NULL: it is one that could be taken. */
static const char *device_reason(struct ibv_device *device)
{
	static char why[128];

	if (!gda_provider_for(device, why, sizeof(why)))
		return why;
	if (!gda_list_allows(device->name, 0))
		return "SHMEM_GDA_NICS leaves it out";
	return has_port(device) ? NULL : "no port is active";
}

static int device_found(struct ibv_device *device, char *why, size_t bytes)
{
	const char *reason = device_reason(device);

	if (reason)
		reason_add(why, bytes, device->name, reason);
	return !reason;
}

static int device_find(char *why, size_t bytes)
{
	struct ibv_device **devices;
	int n = 0, found;

	devices = gda_ibv.get_device_list(&n);
	found = devices ? gda_list_check(devices, n) : 0;
	for (int i = 0; devices && i < n && !found; i++)
		found = device_found(devices[i], why, bytes);
	if (!devices || !n)
		snprintf(why, bytes, "there is no RDMA device on this node");
	if (devices)
		gda_ibv.free_device_list(devices);
	return found;
}

int gda_nics_found(char *why, size_t bytes)
{
	const char *reason;
	int found, rc = gda_settings_check();

	*why = '\0';
	if (rc)
		return rc;
	if (gda_lib_open(&reason)) {
		snprintf(why, bytes, "%s", reason);
		return 0;
	}
	found = device_find(why, bytes);
	gda_providers_unload();
	gda_lib_close();
	return found;
}

static unsigned int local_rank(void)
{
	unsigned int n = 0;

	for (int pe = 0; pe < shmemi.me; pe++)
		n += shmemi.peers[pe].node == shmemi.peers[shmemi.me].node;
	return n;
}

static int nic_open(struct gda_nic *nic)
{
	int rc;

	nic->pd = gda_ibv.alloc_pd(nic->context);
	if (!nic->pd) {
		rc = errno ? -errno : -EIO;
		shmemi_log_error("NIC %s gives no protection domain: %s",
				 nic->name, strerror(-rc));
		return rc;
	}
	rc = nic->provider->nic_open ? nic->provider->nic_open(nic) : 0;
	if (rc)
		gda_ibv.dealloc_pd(nic->pd);
	else
		shmemi_trace(INIT, "NIC %s by %s, GID index %d: %s", nic->name,
			     nic->provider->name, nic->gid_index,
			     nic->gid_reason);
	return rc;
}

static struct gda_port *taken_as(const struct gda_survey *survey, int number)
{
	for (int i = 0; i < survey->n; i++)
		if (survey->ports[i].taken == number)
			return &survey->ports[i];
	return NULL;
}

static int taken_open(struct gda_survey *survey)
{
	struct gda_port *port;
	int rc = 0;

	while (!rc && (port = taken_as(survey, (int)gda_n_nics + 1))) {
		struct gda_nic *nic = &gda_nics[gda_n_nics];

		*nic = port->nic;
		nic->index = gda_n_nics;
		rc = nic_open(nic);
		if (rc)
			break;
		port->nic.context = NULL;
		gda_n_nics++;
	}
	return rc;
}

static int none_fits(const struct gda_survey *survey)
{
	char why[512] = "";

	for (int i = 0; i < survey->n; i++)
		reason_add(why, sizeof(why), survey->ports[i].nic.name,
			   survey->ports[i].why);
	shmemi_log_error("no NIC that kernels could use: %s",
			 *why ? why : "there is no RDMA device on this node");
	return -ENODEV;
}

int gda_nic_atomics(const struct gda_nic *nic)
{
	const enum ibv_atomic_cap cap = nic->device.atomic_cap;

	return cap == IBV_ATOMIC_GLOB ||
	       (cap == IBV_ATOMIC_HCA &&
		shmemi.env.net_atomics == SHMEMI_BY_DEVICE);
}

int gda_nics_open(void)
{
	struct gda_survey survey;
	const char *why;
	int rc = gda_settings_check();

	if (rc)
		return rc;
	rc = gda_lib_open(&why);
	if (rc) {
		shmemi_log_error("no NIC that kernels could use: %s", why);
		return rc;
	}
	rc = gda_survey_open(&survey, local_rank());
	if (!rc) {
		rc = taken_open(&survey);
		if (!rc && !gda_n_nics)
			rc = none_fits(&survey);
		gda_survey_close(&survey);
	}
	if (rc)
		gda_nics_close();
	return rc;
}

void gda_nics_close(void)
{
	while (gda_n_nics) {
		struct gda_nic *nic = &gda_nics[--gda_n_nics];

		if (nic->provider->nic_close)
			nic->provider->nic_close(nic);
		gda_ibv.dealloc_pd(nic->pd);
		gda_ibv.close_device(nic->context);
	}
	gda_providers_unload();
	gda_lib_close();
}
