/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_impl.h"

#include <hwloc.h>

#include "base/log.h"
#include "gpu/gpu.h"

static hwloc_topology_t topology;
static hwloc_obj_t gpu;

/* Bridges too, also those that hwloc takes for unimportant. */
static int load(void)
{
	if (hwloc_topology_init(&topology))
		return -1;
	hwloc_topology_set_type_filter(topology, HWLOC_OBJ_PCI_DEVICE,
				       HWLOC_TYPE_FILTER_KEEP_ALL);
	hwloc_topology_set_type_filter(topology, HWLOC_OBJ_BRIDGE,
				       HWLOC_TYPE_FILTER_KEEP_ALL);
	if (!hwloc_topology_load(topology))
		return 0;
	hwloc_topology_destroy(topology);
	topology = NULL;
	return -1;
}

void gda_pci_open(void)
{
	if (topology || !*shmemg_device.bus)
		return;
	if (load()) {
		shmemi_log_warn("hwloc can't read the topology of this node: "
				"NICs are taken in any order");
		return;
	}
	gpu = hwloc_get_pcidev_by_busidstring(topology, shmemg_device.bus);
}

void gda_pci_close(void)
{
	if (topology)
		hwloc_topology_destroy(topology);
	topology = NULL;
	gpu = NULL;
}

static int depth_of(hwloc_obj_t obj)
{
	int depth = 0;

	while ((obj = obj->parent))
		depth++;
	return depth;
}

/* Up from both to where they meet. */
static int hops_between(hwloc_obj_t a, hwloc_obj_t b)
{
	int hops = 0;

	for (; a != b; hops++)
		if (depth_of(a) > depth_of(b))
			a = a->parent;
		else
			b = b->parent;
	return hops;
}

int gda_pci_hops(const char *bus)
{
	hwloc_obj_t nic = NULL;

	if (gpu && *bus)
		nic = hwloc_get_pcidev_by_busidstring(topology, bus);
	return nic ? hops_between(gpu, nic) : -1;
}
