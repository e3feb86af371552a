/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/data.h"

#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "conduits/smp/smp_region.h"
#include "host/fork.h"
#include "base/log.h"

#define NAME "libsirocco.so"

struct image {
	uintptr_t start, end; /* of the writable part, page-aligned */
	uint64_t id;
	int wants_us; /* linked with this library, or holds it */
};

static struct conduit_region shared;

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ (hash >> 32);
}

static int needs(const ElfW(Dyn) *dyn, uintptr_t load)
{
	const char *strings = NULL;

	for (const ElfW(Dyn) *d = dyn; d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_STRTAB)
			strings = (const char *)d->d_un.d_ptr;
	/* glibc relocates the entry in place; others leave an offset. */
	if (strings && (uintptr_t)strings < load)
		strings += load;
	for (const ElfW(Dyn) *d = dyn; strings && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_NEEDED &&
		    !strncmp(strings + d->d_un.d_val, NAME, strlen(NAME)))
			return 1;
	return 0;
}

static void writable(struct image *image, const ElfW(Phdr) *ph,
		     uintptr_t load, uintptr_t page)
{
	image->start = (load + ph->p_vaddr) & -page;
	image->end = (load + ph->p_vaddr + ph->p_memsz + page - 1) & -page;
}

/* The first object is the executable; the walk ends with it. */
static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t load = info->dlpi_addr, sealed = 0;
	struct image *image = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t at = load + ph->p_vaddr, here = (uintptr_t)look;

		image->id = mix(image->id, ph->p_type ^ ph->p_vaddr);
		image->id = mix(image->id, ph->p_memsz);
		if (ph->p_type == PT_LOAD && (ph->p_flags & PF_W))
			writable(image, ph, load, page);
		if (ph->p_type == PT_GNU_RELRO)
			sealed = (at + ph->p_memsz) & -page;
		if (ph->p_type == PT_DYNAMIC)
			image->wants_us |= needs((const void *)at, load);
		if (ph->p_type == PT_LOAD && here - at < ph->p_memsz)
			image->wants_us = 1;
	}
	if (sealed > image->start)
		image->start = sealed;
	return 1;
}

static struct image find(void)
{
	struct image image = { 0 };

	dl_iterate_phdr(look, &image);
	return image;
}

uint64_t shmemi_data_image_id(void)
{
	return find().id;
}

int shmemi_data_share(int choice, struct conduit_region *region)
{
	struct image image = find();
	int rc;

	*region = shared;
	if (shared.bytes || choice == SHMEMI_NO || image.end <= image.start)
		return 0;
	if (choice == SHMEMI_AUTO && !image.wants_us)
		return 0;
	/*
	 * This function's own statics lie in the region when the library is
	 * linked into the executable; so nothing may change from here on until
	 * the pages are moved.
	 */
	region->base = (char *)image.start;
	region->bytes = image.end - image.start;
	rc = smp_region_adopt(region);
	if (rc)
		return rc;
	shared = *region;
	rc = shmemi_fork_protect(region->base, region->bytes);
	if (rc)
		shmemi_log_error("can't watch for fork: %s", strerror(-rc));
	return rc;
}
