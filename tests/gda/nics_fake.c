/* SPDX-License-Identifier: BSD-3-Clause */
#include "nics_fake.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static char dir[256];
static char library[512];
static void *handle;

struct shmemg_platform fake_gpu;
int fake_dmabuf_rc, fake_pages;

void check(int ok, const char *what, const char *file, int line)
{
	if (ok)
		return;
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
	fake_close();
	exit(1);
}

void check_says(const char *words, const char *file, int line)
{
	char text[CAPTURE_BYTES];
	int ok;

	capture_stop(text);
	ok = *words ? strstr(text, words) != NULL : !*text;
	if (!ok)
		fprintf(stderr, "stderr has: %s\n", text);
	check(ok, words, file, line);
}

static void shell(const char *format, const char *arg)
{
	char command[1024];

	snprintf(command, sizeof(command), format, dir, arg);
	if (system(command))
		abort();
}

static int dmabuf(void *p, size_t bytes, int *fd, size_t *offset)
{
	(void)p, (void)bytes;
	if (fake_dmabuf_rc)
		return fake_dmabuf_rc;
	*fd = open("/dev/null", O_RDONLY);
	*offset = FAKE_DMABUF_OFFSET;
	return 0;
}

static int io_register(void *p, size_t bytes, void **kernels)
{
	fake_pages++;
	return shmemg_cpu.io_register(p, bytes, kernels);
}

static int host_unregister(void *p)
{
	fake_pages--;
	return shmemg_cpu.host_unregister(p);
}

static void platform_open(void)
{
	CHECK(!shmemg_open("cpu", -1, 0));
	fake_gpu = shmemg_cpu;
	fake_gpu.mem_dmabuf = dmabuf;
	fake_gpu.io_register = io_register;
	fake_gpu.host_unregister = host_unregister;
	shmemg = &fake_gpu;
	strcpy(shmemg_device.bus, FAKE_GPU);
}

static const char *setting(const char *name, const char *otherwise)
{
	return getenv(name) ? getenv(name) : otherwise;
}

void fake_open(void)
{
	char topology[512];

	snprintf(topology, sizeof(topology), "%s/tests/gda/nics.xml",
		 setting("SRCDIR", "."));
	snprintf(library, sizeof(library), "%s/tests/gda/.libs/libfake.so",
		 setting("BUILDDIR", "."));
	snprintf(dir, sizeof(dir), "%.200s/sirocco-nics-XXXXXX",
		 setting("TMPDIR", "/tmp"));
	if (!mkdtemp(dir))
		abort();
	setenv("HWLOC_XMLFILE", topology, 1);
	setenv("FAKE_DIR", dir, 1);
	handle = dlopen(library, RTLD_NOW);
	if (!handle) {
		fprintf(stderr, "%s\n", dlerror());
		abort();
	}
	fake_clear();
	platform_open();
}

void fake_close(void)
{
	shell("rm -rf %s", "");
}

void fake_clear(void)
{
	shell("rm -rf %s/*", "");
	for (int i = 0; environ[i];)
		if (!strncmp(environ[i], "SHMEM_", 6) ||
		    !strncmp(environ[i], "FAKE_REFUSE", 11)) {
			char name[64];

			snprintf(name, sizeof(name), "%.*s",
				 (int)strcspn(environ[i], "="), environ[i]);
			unsetenv(name);
		} else {
			i++;
		}
	set("SHMEM_GDA_LIBRARY", library);
}

void fake_file(const char *device, const char *leaf, const char *text)
{
	char path[1024];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/%s", dir, device, leaf);
	if (!text) {
		unlink(path);
		return;
	}
	for (char *at = path + strlen(dir) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0777);
		*at = '/';
	}
	file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file))
		abort();
}

void fake_gid(const char *device, int index, const char *gid, const char *type)
{
	char leaf[64];

	snprintf(leaf, sizeof(leaf), "ports/1/gids/%d", index);
	fake_file(device, leaf, gid);
	snprintf(leaf, sizeof(leaf), "ports/1/gid_attrs/types/%d", index);
	fake_file(device, leaf, type);
}

void fake_device(const char *name, const char *bus)
{
	char link[512], target[64];

	fake_file(name, "ports/1/state", "4: ACTIVE\n");
	fake_file(name, "ports/1/link_layer", "Ethernet\n");
	fake_gid(name, 0, "::ffff:10.0.0.1", "RoCE v2\n");
	if (!*bus)
		return;
	snprintf(link, sizeof(link), "%s/%s/device", dir, name);
	snprintf(target, sizeof(target), "../../%s", bus);
	if (symlink(target, link))
		abort();
}

void set(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
	CHECK(!shmemi_env_parse(&shmemi.env));
}

const struct fake_counts *counts(void)
{
	return dlsym(handle, "fake_counts");
}

void check_balance(void)
{
	const struct fake_counts *now = counts();

	CHECK(!now->lists);
	CHECK(!now->contexts);
	CHECK(!now->pds);
	CHECK(!now->mrs);
	CHECK(!fake_pages);
}
