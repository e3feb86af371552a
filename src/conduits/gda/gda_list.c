/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "host/shmemi.h"

#define BLANKS " \t"
#define PORT_MAX 255
#define MTU_MIN_BYTES 256
#define MTU_MAX_BYTES 4096

struct item {
	const char *name;
	size_t length;
	unsigned int port; /* 0: all of them */
};

/* The list, behind its ^. */
static const char *list_start(int *excludes)
{
	const char *text = shmemi.env.gda_nics ? shmemi.env.gda_nics : "";

	text += strspn(text, BLANKS);
	*excludes = *text == '^';
	return text + *excludes;
}

/* ":1", or nothing; -EINVAL for anything else. */
static int port_parse(const char **text, unsigned int *port)
{
	unsigned long value = 0;
	char *end;

	*port = 0;
	if (**text != ':')
		return 0;
	++*text;
	if (**text >= '1' && **text <= '9') {
		value = strtoul(*text, &end, 10);
		*text = end;
	}
	*port = (unsigned int)value;
	return value && value <= PORT_MAX ? 0 : -EINVAL;
}

/* Takes one item and the comma behind it; -EINVAL leaves text where it is. */
static int item_parse(const char **text, struct item *item)
{
	const char *at = *text + strspn(*text, BLANKS);

	item->name = at;
	item->length = strcspn(at, ",:^" BLANKS);
	at += item->length;
	if (!item->length || port_parse(&at, &item->port))
		return -EINVAL;
	at += strspn(at, BLANKS);
	if (*at && (*at != ',' || !at[1 + strspn(at + 1, BLANKS)]))
		return -EINVAL;
	*text = at + (*at == ',');
	return 0;
}

static int list_check(void)
{
	struct item item;
	const char *text;
	int excludes;

	text = list_start(&excludes);
	if (!excludes && !*text)
		return 0;
	do {
		if (!item_parse(&text, &item))
			continue;
		shmemi_log_error("SHMEM_GDA_NICS=\"%.200s\": expected devices "
				 "or device:port with commas, such as mlx5_0 "
				 "or mlx5_0:1, ^ before the first for those "
				 "not to use, at \"%.64s\"",
				 shmemi.env.gda_nics, text);
		return -EINVAL;
	} while (*text);
	return 0;
}

static int mtu_check(void)
{
	const int mtu = shmemi.env.gda_mtu;

	if (!mtu || (mtu >= MTU_MIN_BYTES && mtu <= MTU_MAX_BYTES &&
		     !(mtu & (mtu - 1))))
		return 0;
	shmemi_log_error("SHMEM_GDA_MTU=%d: expected 256, 512, 1024, 2048 or "
			 "4096, or 0 for what the port has",
			 mtu);
	return -EINVAL;
}

int gda_settings_check(void)
{
	const int list = list_check(), mtu = mtu_check();

	return list ? list : mtu;
}

static int is_of(const struct item *item, const char *device)
{
	return strlen(device) == item->length &&
	       !strncmp(item->name, device, item->length);
}

/* A list of those not to use names a device only if it names no port. */
static int names(const struct item *item, int excludes, const char *device,
		 unsigned int port)
{
	return is_of(item, device) &&
	       (!item->port || item->port == port || (!port && !excludes));
}

/* Where the kernel does not tell of ports, any may be there. */
static int is_there(const struct item *item, const struct ibv_device *device)
{
	char state[32];

	return is_of(item, device->name) &&
	       (!item->port ||
		gda_sysfs_read(device, state, sizeof(state), "ports/1/state") ||
		!gda_sysfs_read(device, state, sizeof(state), "ports/%u/state",
				item->port));
}

static void say_missing(const struct item *item, struct ibv_device **devices,
			int n)
{
	char there[512] = "", port[16] = "";
	size_t used = 0;

	for (int i = 0; i < n && used < sizeof(there); i++)
		used += (size_t)snprintf(there + used, sizeof(there) - used,
					 "%s%s", i ? ", " : "",
					 devices[i]->name);
	if (item->port)
		snprintf(port, sizeof(port), ":%u", item->port);
	shmemi_log_error("SHMEM_GDA_NICS=\"%.200s\": this node has no NIC "
			 "%.*s%s; expected some of %s",
			 shmemi.env.gda_nics, (int)item->length, item->name,
			 port, there);
}

int gda_list_check(struct ibv_device **devices, int n)
{
	struct item item;
	const char *text;
	int excludes;

	text = list_start(&excludes);
	while (!excludes && n && *text && !item_parse(&text, &item)) {
		int found = 0;

		for (int i = 0; i < n && !found; i++)
			found = is_there(&item, devices[i]);
		if (!found) {
			say_missing(&item, devices, n);
			return -EINVAL;
		}
	}
	return 0;
}

int gda_list_allows(const char *device, unsigned int port)
{
	struct item item;
	const char *text;
	int excludes;

	text = list_start(&excludes);
	if (!*text)
		return 1;
	while (*text && !item_parse(&text, &item))
		if (names(&item, excludes, device, port))
			return !excludes;
	return excludes;
}

uint8_t gda_nic_mtu(const struct gda_nic *nic)
{
	const unsigned int port = nic->port_attr.active_mtu;
	unsigned int mtu = IBV_MTU_256;

	if (!shmemi.env.gda_mtu)
		return (uint8_t)port;
	while (mtu < port &&
	       MTU_MIN_BYTES << (mtu - IBV_MTU_256) < shmemi.env.gda_mtu)
		mtu++;
	return (uint8_t)mtu;
}
