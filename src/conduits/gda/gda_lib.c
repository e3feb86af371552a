/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_impl.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "host/shmemi.h"

#define VERBS_LIBRARY "libibverbs.so.1"

struct gda_verbs_lib gda_ibv;

static void *library;
static unsigned int users;

static const struct {
	const char *name;
	size_t offset;
} rows[] = {
#define ROW(type, name, params) \
	{ "ibv_" #name, offsetof(struct gda_verbs_lib, name) },
	GDA_VERBS(ROW)
#undef ROW
};

static const char *own_library(void)
{
	const char *name = shmemi.env.gda_library;

	return name && *name ? name : NULL;
}

/* For good: it may leave handlers behind, and knows its plugins by address. */
static void *load(const char *name)
{
	return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static const char *missing(const char *format, const char *what)
{
	static char text[256];

	snprintf(text, sizeof(text), format, what);
	return text;
}

static int fill(const char **why)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		void *symbol = dlsym(library, rows[i].name);

		if (!symbol) {
			*why = missing("libibverbs is too old, it has no %s",
				       rows[i].name);
			return -ENOSYS;
		}
		memcpy((char *)&gda_ibv + rows[i].offset, &symbol,
		       sizeof(symbol));
	}
	return 0;
}

int gda_lib_open(const char **why)
{
	int rc;

	if (users++)
		return 0;
	library = load(own_library() ? own_library() : VERBS_LIBRARY);
	if (!library) {
		users = 0;
		*why = own_library() ?
			       missing("SHMEM_GDA_LIBRARY: %s", dlerror()) :
			       VERBS_LIBRARY " is not installed";
		return -ENOENT;
	}
	rc = fill(why);
	if (rc)
		gda_lib_close();
	return rc;
}

void gda_lib_close(void)
{
	if (--users)
		return;
	dlclose(library);
	library = NULL;
	memset(&gda_ibv, 0, sizeof(gda_ibv));
}

void *gda_lib_vendor(const char *const *names)
{
	void *found = NULL;

	if (own_library())
		return load(own_library());
	while (*names && !found)
		found = load(*names++);
	return found;
}

void *gda_lib_symbol(void *vendor, const char *name)
{
	return dlsym(vendor, name);
}

void *gda_lib_verbs_symbol(const char *name)
{
	return library ? dlsym(library, name) : NULL;
}
