/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A libibverbs for nics.c: its devices are the folders of $FAKE_DIR, which
 * look like those of /sys/class/infiniband. It registers memory, or refuses as
 * $FAKE_REFUSE says, and counts what was opened and not closed.
 *
 *   FAKE_REFUSE  with commas: open, pd, dmabuf (all of them), all (memory),
 *                atomics (any with REMOTE_ATOMIC), mixed (REMOTE_ATOMIC with
 *                other remote rights), second (memory of devices x_1)
 *   FAKE_GID_EX  the type of all addresses; else _ibv_query_gid_ex fails
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_verbs.h"

#define EXPORT __attribute__((visibility("default")))

/* Their prototypes in verbs.h are of macros, or are not there. */
#undef ibv_query_port
#undef ibv_reg_mr
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

EXPORT struct fake_counts fake_counts;

static int is_refused(const char *what)
{
	const char *list = getenv("FAKE_REFUSE");

	return list && strstr(list, what);
}

static int read_line(const struct ibv_device *device, char *line,
		     const char *format, ...)
{
	char path[1024];
	size_t n =
		(size_t)snprintf(path, sizeof(path), "%s/", device->ibdev_path);
	va_list args;
	FILE *file;

	va_start(args, format);
	vsnprintf(path + n, sizeof(path) - n, format, args);
	va_end(args);
	*line = '\0';
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (!fgets(line, 64, file))
		*line = '\0';
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
	return 1;
}

static int read_number(const struct ibv_device *device, int port,
		       const char *leaf, int otherwise)
{
	char line[64];

	return read_line(device, line, "ports/%d/%s", port, leaf) ? atoi(line) :
								    otherwise;
}

EXPORT struct ibv_device **ibv_get_device_list(int *n)
{
	struct ibv_device **list = calloc(65, sizeof(*list));
	struct dirent **entries;
	int found = scandir(getenv("FAKE_DIR"), &entries, NULL, alphasort);

	*n = 0;
	for (int i = 0; i < found; i++) {
		struct ibv_device *device = calloc(1, sizeof(*device));

		if (*entries[i]->d_name == '.' || *n == 64) {
			free(device);
		} else {
			snprintf(device->name, sizeof(device->name), "%.60s",
				 entries[i]->d_name);
			snprintf(device->ibdev_path, sizeof(device->ibdev_path),
				 "%.180s/%.60s", getenv("FAKE_DIR"),
				 entries[i]->d_name);
			list[(*n)++] = device;
		}
		free(entries[i]);
	}
	if (found >= 0)
		free(entries);
	fake_counts.lists++;
	return list;
}

EXPORT void ibv_free_device_list(struct ibv_device **list)
{
	for (int i = 0; list[i]; i++)
		free(list[i]);
	free(list);
	fake_counts.lists--;
}

EXPORT const char *ibv_get_device_name(struct ibv_device *device)
{
	return device->name;
}

EXPORT struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	struct ibv_context *context;

	if (is_refused("open")) {
		errno = EACCES;
		return NULL;
	}
	context = calloc(1, sizeof(*context));
	context->device = malloc(sizeof(*device));
	*context->device = *device;
	context->async_fd = -1;
	fake_counts.contexts++;
	return context;
}

EXPORT int ibv_close_device(struct ibv_context *context)
{
	free(context->device);
	free(context);
	fake_counts.contexts--;
	return 0;
}

EXPORT int ibv_query_device(struct ibv_context *context,
			    struct ibv_device_attr *attr)
{
	char line[64];
	int n = 0;

	memset(attr, 0, sizeof(*attr));
	while (read_line(context->device, line, "ports/%d/state", n + 1))
		n++;
	attr->phys_port_cnt = (uint8_t)n;
	attr->atomic_cap = IBV_ATOMIC_GLOB;
	if (read_line(context->device, line, "atomics_apart"))
		attr->atomic_cap = IBV_ATOMIC_HCA;
	if (read_line(context->device, line, "no_atomics"))
		attr->atomic_cap = IBV_ATOMIC_NONE;
	attr->max_mr_size = UINT64_MAX;
	return 0;
}

EXPORT int ibv_query_port(struct ibv_context *context, uint8_t port,
			  struct _compat_ibv_port_attr *compat)
{
	struct ibv_port_attr *attr = (struct ibv_port_attr *)compat;
	char line[64];

	if (!read_line(context->device, line, "ports/%d/state", port))
		return EINVAL;
	attr->state = (enum ibv_port_state)atoi(line);
	read_line(context->device, line, "ports/%d/link_layer", port);
	attr->link_layer = strcmp(line, "InfiniBand") ?
				   IBV_LINK_LAYER_ETHERNET :
				   IBV_LINK_LAYER_INFINIBAND;
	attr->max_mtu = IBV_MTU_4096;
	attr->active_mtu = (enum ibv_mtu)read_number(context->device, port,
						     "mtu", IBV_MTU_4096);
	attr->active_width = 2;
	attr->active_speed =
		(uint8_t)read_number(context->device, port, "speed", 64);
	attr->gid_tbl_len = 8;
	attr->max_msg_sz = 1u << 30;
	return 0;
}

EXPORT int ibv_query_gid(struct ibv_context *context, uint8_t port, int index,
			 union ibv_gid *gid)
{
	char line[64];

	memset(gid, 0, sizeof(*gid));
	if (read_line(context->device, line, "ports/%d/gids/%d", port, index))
		inet_pton(AF_INET6, line, gid->raw);
	return 0;
}

EXPORT struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd;

	if (is_refused("pd")) {
		errno = ENOMEM;
		return NULL;
	}
	pd = calloc(1, sizeof(*pd));
	pd->context = context;
	fake_counts.pds++;
	return pd;
}

EXPORT int ibv_dealloc_pd(struct ibv_pd *pd)
{
	free(pd);
	fake_counts.pds--;
	return 0;
}

static int access_refused(const struct ibv_pd *pd, int access)
{
	const int atomic = access & IBV_ACCESS_REMOTE_ATOMIC;
	const int data = access & IBV_ACCESS_REMOTE_WRITE;

	return is_refused("all") || (is_refused("atomics") && atomic) ||
	       (is_refused("mixed") && atomic && data) ||
	       (is_refused("second") &&
		strstr(pd->context->device->name, "_1"));
}

static struct ibv_mr *mr_new(struct ibv_pd *pd, void *p, size_t bytes,
			     int access)
{
	struct ibv_mr *mr;

	fake_counts.asked++;
	if (access_refused(pd, access)) {
		errno = ENOMEM;
		return NULL;
	}
	mr = calloc(1, sizeof(*mr));
	mr->context = pd->context;
	mr->pd = pd;
	mr->addr = p;
	mr->length = bytes;
	mr->lkey = (uint32_t)++fake_counts.keys;
	mr->rkey = mr->lkey + FAKE_RKEY;
	fake_counts.last_access = access;
	fake_counts.mrs++;
	return mr;
}

EXPORT struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *p, size_t bytes,
				 int access)
{
	return mr_new(pd, p, bytes, access);
}

EXPORT struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset,
					size_t bytes, uint64_t iova, int fd,
					int access)
{
	struct ibv_mr *mr;

	if (is_refused("dmabuf")) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	mr = mr_new(pd, (void *)(uintptr_t)iova, bytes, access);
	if (!mr)
		return NULL;
	fake_counts.dmabufs++;
	fake_counts.last_offset = offset;
	fake_counts.last_fd = fd;
	return mr;
}

EXPORT int ibv_dereg_mr(struct ibv_mr *mr)
{
	free(mr);
	fake_counts.mrs--;
	return 0;
}

EXPORT int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port,
			     uint32_t index, struct ibv_gid_entry *entry,
			     uint32_t flags, size_t bytes)
{
	(void)context, (void)port, (void)index, (void)flags, (void)bytes;
	if (!getenv("FAKE_GID_EX"))
		return ENOTSUP;
	entry->gid_type = (uint32_t)atoi(getenv("FAKE_GID_EX"));
	return 0;
}

EXPORT _Bool mlx5dv_is_supported(struct ibv_device *device)
{
	return !strncmp(device->name, "mlx5", 4);
}
