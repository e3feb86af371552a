/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int path_of(const struct ibv_device *device, const char *leaf,
		   char *path)
{
	const int n = *device->ibdev_path ? snprintf(path, PATH_MAX, "%s/%s",
						     device->ibdev_path, leaf) :
					    -1;

	return n > 0 && n < PATH_MAX ? 0 : -ENOENT;
}

int gda_sysfs_read(const struct ibv_device *device, char *line, size_t bytes,
		   const char *format, ...)
{
	char path[PATH_MAX], leaf[128];
	ssize_t n = -1;
	va_list args;
	int fd;

	va_start(args, format);
	vsnprintf(leaf, sizeof(leaf), format, args);
	va_end(args);
	if (path_of(device, leaf, path))
		return -ENOENT;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, line, bytes - 1);
	close(fd);
	if (n < 0)
		return -EIO;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

/* The device is a link to its PCI function; software devices have none. */
void gda_sysfs_bus(const struct ibv_device *device, char *bus, size_t bytes)
{
	char path[PATH_MAX], target[PATH_MAX];
	const char *name;
	ssize_t n = -1;

	*bus = '\0';
	if (!path_of(device, "device", path))
		n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return;
	target[n] = '\0';
	name = strrchr(target, '/');
	snprintf(bus, bytes, "%s", name ? name + 1 : target);
}
