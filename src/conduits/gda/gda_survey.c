/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_survey.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "host/shmemi.h"

#define WHY(port, ...) snprintf((port)->why, sizeof((port)->why), __VA_ARGS__)

static const char *const state_words[] = {
	[IBV_PORT_NOP] = "unknown",   [IBV_PORT_DOWN] = "down",
	[IBV_PORT_INIT] = "init",     [IBV_PORT_ARMED] = "armed",
	[IBV_PORT_ACTIVE] = "active", [IBV_PORT_ACTIVE_DEFER] = "defer",
};

static struct gda_port *port_add(struct gda_survey *survey,
				 struct ibv_device *device, uint8_t number,
				 const struct gda_provider *provider)
{
	struct gda_port *ports = realloc(
		survey->ports, (size_t)(survey->n + 1) * sizeof(*ports));
	struct gda_port *port;
	char bus[32];

	if (!ports) {
		shmemi_log_error("out of memory for ports of NICs");
		return NULL;
	}
	survey->ports = ports;
	port = &ports[survey->n++];
	memset(port, 0, sizeof(*port));
	port->state = "";
	port->nic.provider = provider;
	port->nic.port = number;
	snprintf(port->nic.name, sizeof(port->nic.name),
		 number ? "%.58s:%u" : "%.58s", device->name, number);
	gda_sysfs_bus(device, bus, sizeof(bus));
	port->nic.distance = gda_pci_hops(bus);
	return port;
}

static int port_query(struct gda_port *port)
{
	struct gda_nic *nic = &port->nic;
	const int rc = gda_ibv.query_port(
		nic->context, nic->port,
		(struct _compat_ibv_port_attr *)&nic->port_attr);

	if (rc) {
		WHY(port, "the port can't be asked: %s", strerror(rc));
		return -EIO;
	}
	if (nic->port_attr.state <= IBV_PORT_ACTIVE_DEFER)
		port->state = state_words[nic->port_attr.state];
	return 0;
}

/* Whether the port could be taken; WHY is set if not. */
static int port_fits(struct gda_port *port, struct ibv_device *device)
{
	struct gda_nic *nic = &port->nic;
	int down;

	if (!gda_list_allows(device->name, nic->port)) {
		WHY(port, "SHMEM_GDA_NICS leaves it out");
		return 0;
	}
	if (port_query(port))
		return 0;
	down = nic->port_attr.state != IBV_PORT_ACTIVE &&
	       nic->port_attr.state != IBV_PORT_ACTIVE_DEFER;
	if (gda_gid_choose(nic) && !down) {
		WHY(port, "%s", nic->gid_reason);
		return 0;
	}
	if (down)
		WHY(port, "the port is not active");
	return !down;
}

static int device_open(struct gda_port *port, struct ibv_device *device)
{
	struct gda_nic *nic = &port->nic;

	errno = 0;
	nic->context = gda_ibv.open_device(device);
	if (!nic->context) {
		WHY(port, "the device can't be opened: %s",
		    strerror(errno ? errno : EIO));
		return -EIO;
	}
	if (!gda_ibv.query_device(nic->context, &nic->device))
		return 0;
	WHY(port, "the device can't be asked what it is");
	gda_ibv.close_device(nic->context);
	nic->context = NULL;
	return -EIO;
}

/* Returns how many ports the device has, 1 if that is unknown. */
static int port_look_at(struct gda_port *port, struct ibv_device *device)
{
	struct gda_nic *nic = &port->nic;

	if (device_open(port, device))
		return 1;
	if (!port_fits(port, device)) {
		gda_ibv.close_device(nic->context);
		nic->context = NULL;
	}
	return nic->device.phys_port_cnt;
}

static int device_look_at(struct gda_survey *survey, struct ibv_device *device)
{
	const struct gda_provider *provider;
	struct gda_port *port;
	char why[128];
	int n = 1;

	provider = gda_provider_for(device, why, sizeof(why));
	if (provider && !gda_list_allows(device->name, 0)) {
		snprintf(why, sizeof(why), "SHMEM_GDA_NICS leaves it out");
		provider = NULL;
	}
	if (!provider) {
		port = port_add(survey, device, 0, NULL);
		if (port)
			WHY(port, "%s", why);
		return port ? 0 : -ENOMEM;
	}
	for (int i = 1; i <= n; i++) {
		port = port_add(survey, device, (uint8_t)i, provider);
		if (!port)
			return -ENOMEM;
		n = port_look_at(port, device);
	}
	return 0;
}

/* Lanes times what one carries, as codes of the specification say. */
static unsigned int rate_of(const struct gda_port *port)
{
	const struct ibv_port_attr *attr = &port->nic.port_attr;
	const unsigned int lanes =
		attr->active_width == 16 ? 2 :
		attr->active_width == 8	 ? 12 :
		attr->active_width == 1	 ? 1 :
					   2u * attr->active_width;

	return lanes * attr->active_speed;
}

/* Unknown is farthest. */
static int by_distance(const struct gda_port *a, const struct gda_port *b)
{
	const unsigned int far_a = (unsigned int)a->nic.distance;
	const unsigned int far_b = (unsigned int)b->nic.distance;

	return (far_a > far_b) - (far_a < far_b);
}

static int are_equal(const struct gda_port *a, const struct gda_port *b)
{
	return !by_distance(a, b) && rate_of(a) == rate_of(b);
}

static int compare(const void *p, const void *q)
{
	const struct gda_port *a = p, *b = q;
	const int order = by_distance(a, b);

	if (order)
		return order;
	if (rate_of(a) != rate_of(b))
		return rate_of(a) < rate_of(b) ? 1 : -1;
	return strverscmp(a->nic.name, b->nic.name);
}

/* Those that fit, equal ones together; any other is behind. */
static int can_take(const struct gda_port *port,
		    const struct gda_provider *provider)
{
	return port->nic.context && port->nic.provider == provider;
}

/* Takes of n equal ports, from the local_rank-th PE's share on. */
static int take_equal(struct gda_port *const *equal, int n,
		      unsigned int local_rank, int taken)
{
	const int wanted = shmemi.env.gda_nics_per_pe;
	const unsigned int first = local_rank * (unsigned int)wanted;

	for (int i = 0; i < n && taken < wanted; i++)
		equal[(first + (unsigned int)i) % (unsigned int)n]->taken =
			++taken;
	return taken;
}

static const struct gda_provider *first_provider(const struct gda_survey *s)
{
	for (int i = 0; i < s->n; i++)
		if (s->ports[i].nic.context)
			return s->ports[i].nic.provider;
	return NULL;
}

static void take(struct gda_survey *s, struct gda_port **equal,
		 unsigned int local_rank)
{
	const struct gda_provider *provider = first_provider(s);
	int taken = 0, n = 0;

	for (int i = 0; i < s->n; i++) {
		if (!can_take(&s->ports[i], provider))
			continue;
		if (n && !are_equal(equal[0], &s->ports[i])) {
			taken = take_equal(equal, n, local_rank, taken);
			n = 0;
		}
		equal[n++] = &s->ports[i];
	}
	if (n)
		take_equal(equal, n, local_rank, taken);
}

static void say_left(struct gda_port *port, const struct gda_provider *provider)
{
	const char *off = gda_off();

	if (off) {
		port->taken = 0;
		WHY(port, "%s", off);
	} else if (!port->taken && port->nic.provider != provider) {
		WHY(port, "the nearest one is of another kind, %s",
		    provider->name);
	} else if (!port->taken) {
		WHY(port,
		    "SHMEM_GDA_NICS_PER_PE=%d: others are as near or "
		    "nearer",
		    shmemi.env.gda_nics_per_pe);
	}
}

static int choose(struct gda_survey *s, unsigned int local_rank)
{
	struct gda_port **equal = calloc((size_t)s->n + 1, sizeof(*equal));

	if (!equal) {
		shmemi_log_error("out of memory for ports of NICs");
		return -ENOMEM;
	}
	if (s->n)
		qsort(s->ports, (size_t)s->n, sizeof(*s->ports), compare);
	take(s, equal, local_rank);
	free(equal);
	for (int i = 0; i < s->n; i++)
		if (s->ports[i].nic.context)
			say_left(&s->ports[i], first_provider(s));
	return 0;
}

int gda_survey_open(struct gda_survey *survey, unsigned int local_rank)
{
	int n = 0, rc = 0;

	*survey = (struct gda_survey){ 0 };
	gda_pci_open();
	survey->devices = gda_ibv.get_device_list(&n);
	if (survey->devices)
		rc = gda_list_check(survey->devices, n);
	for (int i = 0; survey->devices && i < n && !rc; i++)
		rc = device_look_at(survey, survey->devices[i]);
	gda_pci_close();
	if (!rc)
		rc = choose(survey, local_rank);
	if (rc)
		gda_survey_close(survey);
	return rc;
}

void gda_survey_close(struct gda_survey *survey)
{
	for (int i = 0; i < survey->n; i++)
		if (survey->ports[i].nic.context)
			gda_ibv.close_device(survey->ports[i].nic.context);
	if (survey->devices)
		gda_ibv.free_device_list(survey->devices);
	free(survey->ports);
	*survey = (struct gda_survey){ 0 };
}

static void gid_print(const struct gda_nic *nic, char *text, size_t bytes)
{
	static const union ibv_gid none;

	if (memcmp(&nic->gid, &none, sizeof(none)))
		inet_ntop(AF_INET6, nic->gid.raw, text, (socklen_t)bytes);
}

static void fact_of(const struct gda_port *port, struct gda_fact *fact)
{
	const struct gda_nic *nic = &port->nic;

	memset(fact, 0, sizeof(*fact));
	memcpy(fact->name, nic->name, sizeof(fact->name));
	memcpy(fact->gid_reason, nic->gid_reason, sizeof(fact->gid_reason));
	memcpy(fact->why, port->why, sizeof(fact->why));
	snprintf(fact->state, sizeof(fact->state), "%s", port->state);
	if (nic->provider)
		snprintf(fact->provider, sizeof(fact->provider), "%s",
			 nic->provider->name);
	gid_print(nic, fact->gid, sizeof(fact->gid));
	fact->gid_index = nic->gid_index;
	fact->distance = nic->distance;
	if (nic->port_attr.active_mtu)
		fact->mtu_bytes = 128 << gda_nic_mtu(nic);
	fact->taken = port->taken;
}

static const char bad_setting[] = "a setting is wrong";

static int survey_tell(int local_rank, struct gda_fact *facts, int room,
		       char *why, size_t bytes)
{
	struct gda_survey survey;
	int rc = gda_survey_open(&survey, (unsigned int)local_rank), n;

	if (rc) {
		snprintf(why, bytes, "%s",
			 rc == -EINVAL ? bad_setting : strerror(-rc));
		return rc;
	}
	n = survey.n;
	for (int i = 0; i < n && i < room; i++)
		fact_of(&survey.ports[i], &facts[i]);
	gda_survey_close(&survey);
	gda_providers_unload();
	return n;
}

int gda_survey(int local_rank, struct gda_fact *facts, int room, char *why,
	       size_t bytes)
{
	const char *reason = bad_setting;
	int rc = gda_settings_check();

	if (!rc)
		rc = gda_lib_open(&reason);
	if (rc) {
		snprintf(why, bytes, "%s", reason);
		return rc;
	}
	rc = survey_tell(local_rank, facts, room, why, bytes);
	gda_lib_close();
	return rc;
}
