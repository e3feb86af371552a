/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/nics.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot/boot.h"
#include "conduits/gda/gda.h"
#include "gpu/gpu.h"
#include "host/device.h"
#include "host/shmemi.h"

#define PORTS_MAX 64

/* What a PE says. */
struct view {
	char host[64];
	char device[64];
	char bus[24];
	char why[128]; /* there is nothing */
	int n;	       /* of ports, or a negative errno */
	struct gda_fact ports[PORTS_MAX];
};

static struct boot *meet(void)
{
	struct boot *boot;

	if (shmemi_env_parse(&shmemi.env) ||
	    boot_open(&boot, shmemi.env.timeout_s))
		exit(1);
	if (shmemi_platform_open(boot_info(boot)))
		boot_abort(boot, 1, NULL);
	return boot;
}

/* As the library does where the start-up doesn't know the node. */
static int local_rank(const struct boot_info *info)
{
	return info->n_local ? info->local_rank : info->pe;
}

static void look(struct view *view, const struct boot_info *info)
{
	memset(view, 0, sizeof(*view));
	snprintf(view->host, sizeof(view->host), "%.63s", info->host);
	snprintf(view->device, sizeof(view->device), "%s", shmemg_device.name);
	snprintf(view->bus, sizeof(view->bus), "%s", shmemg_device.bus);
	view->n = gda_survey(local_rank(info), view->ports, PORTS_MAX,
			     view->why, sizeof(view->why));
	if (view->n > PORTS_MAX)
		view->n = PORTS_MAX;
	if (!view->n)
		snprintf(view->why, sizeof(view->why),
			 "there is no RDMA device on this node");
}

static void port_print(const struct gda_fact *port)
{
	char hops[16] = "?", mtu[16] = "?";

	if (port->distance >= 0)
		snprintf(hops, sizeof(hops), "%d", port->distance);
	if (port->mtu_bytes)
		snprintf(mtu, sizeof(mtu), "%d", port->mtu_bytes);
	printf("  %-16s %-8s %-8s %4s hops, MTU %s\n", port->name,
	       *port->provider ? port->provider : "-",
	       *port->state ? port->state : "-", hops, mtu);
	if (*port->gid)
		printf("      GID %d, %s: %s\n", port->gid_index, port->gid,
		       port->gid_reason);
	if (port->taken)
		printf("      taken, number %d\n", port->taken);
	else
		printf("      not taken: %s\n", port->why);
}

static void view_print(int pe, const struct view *view)
{
	printf("PE %d on %s, %s%s%s\n", pe, view->host, view->device,
	       *view->bus ? " at " : "", view->bus);
	if (view->n <= 0)
		printf("  no NICs: %s\n", view->why);
	for (int i = 0; i < view->n; i++)
		port_print(&view->ports[i]);
}

static json_t *port_json(const struct gda_fact *port)
{
	json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:s}",
				   "name", port->name, "provider",
				   port->provider, "state", port->state, "gid",
				   port->gid, "gid_reason", port->gid_reason,
				   "taken", port->taken, "why", port->why);

	if (*port->gid)
		json_object_set_new(object, "gid_index",
				    json_integer(port->gid_index));
	if (port->distance >= 0)
		json_object_set_new(object, "hops",
				    json_integer(port->distance));
	if (port->mtu_bytes)
		json_object_set_new(object, "mtu",
				    json_integer(port->mtu_bytes));
	return object;
}

static json_t *view_json(int pe, const struct view *view)
{
	json_t *ports = json_array();

	for (int i = 0; i < view->n; i++)
		json_array_append_new(ports, port_json(&view->ports[i]));
	return json_pack("{s:i, s:s, s:s, s:s, s:s, s:o}", "pe", pe, "host",
			 view->host, "device", view->device, "bus", view->bus,
			 "why", view->why, "nics", ports);
}

static void views_json(int n_pes, const struct view *views)
{
	json_t *pes = json_array();
	json_t *root = json_pack("{s:o}", "pes", pes);

	for (int pe = 0; pe < n_pes; pe++)
		json_array_append_new(pes, view_json(pe, &views[pe]));
	json_dumpf(root, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(root);
}

static void views_print(int n_pes, const struct view *views, bool json)
{
	if (json)
		views_json(n_pes, views);
	for (int pe = 0; pe < n_pes && !json; pe++)
		view_print(pe, &views[pe]);
}

int nics_print(bool json)
{
	struct boot *boot = meet();
	const struct boot_info *info = boot_info(boot);
	const int n = info->n_pes, me = info->pe;
	struct view *mine = malloc(sizeof(*mine));
	struct view *views = calloc((size_t)n, sizeof(*views));
	int nerrors;

	if (!mine || !views)
		boot_abort(boot, 1, "shmem_info: out of memory");
	look(mine, info);
	nerrors = mine->n == -EINVAL;
	if (boot_allgather(boot, mine, sizeof(*mine), views))
		boot_abort(boot, 1, NULL);
	if (!me)
		views_print(n, views, json);
	boot_close(boot);
	free(views);
	free(mine);
	return nerrors;
}
