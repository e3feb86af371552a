/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nic_impl.h"

struct nic_device nic_devices[NIC_DEVICES_MAX];
unsigned int nic_n_devices;

struct nic_device *nic_device_of(struct ibv_device *ibv, const char *call)
{
	struct nic_device *device = (struct nic_device *)ibv;

	if (device < nic_devices || device >= nic_devices + nic_n_devices)
		nic_refuse("%s: %p is not a device", call, (void *)ibv);
	return device;
}

static int infiniband(void)
{
	const char *link = getenv("NIC_LINK");

	return link && !strcmp(link, "infiniband");
}

/*
 * As ports have them: link-local and IPv4 addresses, each as RoCE v1 and v2.
 * Every process has its own, so that a message for another one's is found.
 */
static void gids_fill(struct nic_device *device)
{
	const uint32_t pid = (uint32_t)getpid();
	const uint8_t ip[4] = { (uint8_t)(10 + device->index),
				(uint8_t)(pid >> 16), (uint8_t)(pid >> 8),
				(uint8_t)pid };

	for (int i = 0; i < NIC_GIDS; i++) {
		uint8_t *raw = device->gids[i].raw;

		memset(raw, 0, 16);
		if (i < 2) {
			raw[0] = 0xfe;
			raw[1] = 0x80;
		} else {
			raw[10] = raw[11] = 0xff;
		}
		memcpy(raw + 12, ip, 4);
	}
}

/* In the host's memory the processor makes them, in a GPU's the NICs alone. */
static enum ibv_atomic_cap atomic_cap(void)
{
	return nic_fault_atomics_apart() || nic_gpu_here() ? IBV_ATOMIC_HCA :
							     IBV_ATOMIC_GLOB;
}

static void attr_fill(struct nic_device *device)
{
	struct ibv_device_attr *attr = &device->attr;

	*attr = (struct ibv_device_attr){
		.fw_ver = "1.0.0",
		.max_mr_size = UINT64_MAX >> 1,
		.page_size_cap = 0xfffff000,
		.max_qp = 65519,
		.max_qp_wr = 32768,
		.max_sge = NIC_SGES,
		.max_sge_rd = NIC_SGES,
		.max_cq = 65536,
		.max_cqe = 1 << 22,
		.max_mr = 65535,
		.max_pd = 65536,
		.max_qp_rd_atom = 16,
		.max_res_rd_atom = 16 * 65519,
		.max_qp_init_rd_atom = 16,
		.atomic_cap = atomic_cap(),
		.max_pkeys = 1,
		.phys_port_cnt = 1,
	};
	attr->node_guid = htobe64(0x0200000000000000 + device->index);
	attr->sys_image_guid = attr->node_guid;
	if (device->engine->attr)
		device->engine->attr(attr);
}

static void names_fill(struct nic_device *device)
{
	const char *prefix = device->engine->prefix;
	const char *sys = getenv("NIC_SYS");
	struct ibv_device *ibv = &device->ibv;

	snprintf(ibv->name, sizeof(ibv->name), "%s%u", prefix, device->unit);
	snprintf(ibv->dev_name, sizeof(ibv->dev_name), "uverbs%u",
		 device->index);
	if (sys)
		snprintf(ibv->ibdev_path, sizeof(ibv->ibdev_path), "%s/%s%u",
			 sys, prefix, device->unit);
}

static void device_add(const struct nic_engine *engine, unsigned int unit)
{
	struct nic_device *device = &nic_devices[nic_n_devices];

	if (nic_n_devices == NIC_DEVICES_MAX)
		nic_refuse("NIC_DEVICES: more than %d devices",
			   NIC_DEVICES_MAX);
	memset(device, 0, sizeof(*device));
	device->engine = engine;
	device->index = nic_n_devices++;
	device->unit = unit;
	device->ibv.node_type = IBV_NODE_CA;
	device->ibv.transport_type = IBV_TRANSPORT_IB;
	names_fill(device);
	gids_fill(device);
	attr_fill(device);
}

static const struct nic_engine *engine_named(const char *word, size_t n)
{
	for (int i = 0; nic_engines[i]; i++)
		if (strlen(nic_engines[i]->name) == n &&
		    !strncmp(nic_engines[i]->name, word, n))
			return nic_engines[i];
	nic_refuse("NIC_DEVICES: there is no \"%.*s\"", (int)n, word);
}

static void devices_read(void)
{
	const char *word = getenv("NIC_DEVICES");

	if (!word || !*word)
		word = "verbs";
	while (*word) {
		const size_t n = strcspn(word, ":,");
		const struct nic_engine *engine = engine_named(word, n);
		unsigned long units = 1;
		char *end = (char *)word + n;

		if (*end == ':')
			units = strtoul(end + 1, &end, 10);
		for (unsigned int i = 0; i < units; i++)
			device_add(engine, i);
		word = *end == ',' ? end + 1 : end;
	}
}

NIC_EXPORT struct ibv_device **(ibv_get_device_list)(int *n)
{
	struct ibv_device **list;

	nic_lock();
	if (!nic_n_devices)
		devices_read();
	nic_unlock();
	list = calloc(nic_n_devices + 1, sizeof(*list));
	if (!list)
		return NULL;
	for (unsigned int i = 0; i < nic_n_devices; i++)
		list[i] = &nic_devices[i].ibv;
	if (n)
		*n = (int)nic_n_devices;
	return list;
}

NIC_EXPORT void ibv_free_device_list(struct ibv_device **list)
{
	free(list);
}

NIC_EXPORT const char *ibv_get_device_name(struct ibv_device *device)
{
	return nic_device_of(device, "ibv_get_device_name")->ibv.name;
}

NIC_EXPORT __be64 ibv_get_device_guid(struct ibv_device *device)
{
	return nic_device_of(device, "ibv_get_device_guid")->attr.node_guid;
}

int nic_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	*attr = nic_context_of(context, "ibv_query_device")->device->attr;
	return 0;
}

NIC_EXPORT int ibv_query_device(struct ibv_context *context,
				struct ibv_device_attr *attr)
{
	return nic_query_device(context, attr);
}

int nic_query_device_ex(struct ibv_context *context,
			const struct ibv_query_device_ex_input *input,
			struct ibv_device_attr_ex *attr, size_t bytes)
{
	struct ibv_device_attr_ex whole = { 0 };

	if (input && input->comp_mask)
		nic_refuse("ibv_query_device_ex: unknown bits %#x in the input",
			   input->comp_mask);
	nic_query_device(context, &whole.orig_attr);
	whole.phys_port_cnt_ex = whole.orig_attr.phys_port_cnt;
	memcpy(attr, &whole, bytes < sizeof(whole) ? bytes : sizeof(whole));
	return 0;
}

static struct nic_device *port_of(struct ibv_context *context, uint32_t port,
				  const char *call)
{
	struct nic_device *device = nic_context_of(context, call)->device;

	if (!port || port > device->attr.phys_port_cnt)
		nic_refuse("%s: %s has no port %u", call, device->ibv.name,
			   port);
	return device;
}

int nic_query_port(struct ibv_context *context, uint8_t port,
		   struct ibv_port_attr *attr, size_t bytes)
{
	const struct nic_device *device =
		port_of(context, port, "ibv_query_port");
	const int ib = infiniband();
	const struct ibv_port_attr whole = {
		.state = device->port_down ? IBV_PORT_DOWN : IBV_PORT_ACTIVE,
		.max_mtu = IBV_MTU_4096,
		.active_mtu = ib ? IBV_MTU_4096 : IBV_MTU_1024,
		.gid_tbl_len = ib ? 1 : NIC_GIDS,
		.max_msg_sz = NIC_MAX_MESSAGE,
		.pkey_tbl_len = 1,
		.lid = ib ? (uint16_t)(device->index + 1) : 0,
		.active_width = 2,
		.active_speed = 128,
		.phys_state = device->port_down ? 3 : 5,
		.link_layer = ib ? IBV_LINK_LAYER_INFINIBAND :
				   IBV_LINK_LAYER_ETHERNET,
	};

	memcpy(attr, &whole, bytes < sizeof(whole) ? bytes : sizeof(whole));
	return 0;
}

/* The old form ends before flags. */
NIC_EXPORT int(ibv_query_port)(struct ibv_context *context, uint8_t port,
			       struct _compat_ibv_port_attr *attr)
{
	return nic_query_port(context, port, (struct ibv_port_attr *)attr,
			      offsetof(struct ibv_port_attr, flags));
}

NIC_EXPORT int ibv_query_gid(struct ibv_context *context, uint8_t port,
			     int index, union ibv_gid *gid)
{
	const struct nic_device *device =
		port_of(context, port, "ibv_query_gid");

	if (index < 0 || index >= (infiniband() ? 1 : NIC_GIDS)) {
		errno = EINVAL;
		return -1;
	}
	*gid = device->gids[index];
	return 0;
}

NIC_EXPORT int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port,
				 uint32_t index, struct ibv_gid_entry *entry,
				 uint32_t flags, size_t bytes)
{
	const struct nic_device *device =
		port_of(context, port, "ibv_query_gid_ex");
	const int ib = infiniband();
	struct ibv_gid_entry whole = { .gid_index = index, .port_num = port };

	if (flags)
		return EINVAL;
	if (index >= (ib ? 1 : NIC_GIDS))
		return ENODATA;
	whole.gid = device->gids[index];
	if (!ib)
		whole.gid_type =
			index & 1 ? IBV_GID_TYPE_ROCE_V2 : IBV_GID_TYPE_ROCE_V1;
	memcpy(entry, &whole, bytes < sizeof(whole) ? bytes : sizeof(whole));
	return 0;
}

NIC_EXPORT int ibv_query_pkey(struct ibv_context *context, uint8_t port,
			      int index, __be16 *pkey)
{
	port_of(context, port, "ibv_query_pkey");
	if (index)
		return -1;
	*pkey = 0xffff;
	return 0;
}
