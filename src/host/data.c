/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/data.h"

#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "host/fork.h"

#define NAME "libsirocco.so"

struct image {
	uintptr_t start, end; /* of the writable part, page-aligned */
	uint64_t id;
	int wants_us;		/* linked with this library, or holds it */
	uintptr_t gap, gap_end; /* between two writable segments */
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

/*
 * Large models of code have a second segment for large data, behind the
 * first; one region takes both, and what the linker left between. Some linkers
 * give what gets sealed a segment of its own, which is left out.
 */
static void writable(struct image *image, uintptr_t start, uintptr_t end,
		     uintptr_t sealed, uintptr_t page)
{
	start &= -page;
	end = (end + page - 1) & -page;
	if (end <= sealed)
		return;
	if (start < sealed)
		start = sealed;
	if (!image->end) {
		image->start = start;
	} else if (start > image->end) {
		image->gap = image->end;
		image->gap_end = start;
	}
	image->end = end;
}

/* The end of what the loader makes read-only when it has relocated it. */
static uintptr_t sealed_end(const struct dl_phdr_info *info, uintptr_t page)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_GNU_RELRO)
			return (info->dlpi_addr + ph->p_vaddr + ph->p_memsz) &
			       -page;
	}
	return 0;
}

/* The first object is the executable; the walk ends with it. */
static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t load = info->dlpi_addr, sealed = sealed_end(info, page);
	struct image *image = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t at = load + ph->p_vaddr, here = (uintptr_t)look;

		image->id = mix(image->id, ph->p_type ^ ph->p_vaddr);
		image->id = mix(image->id, ph->p_memsz);
		if (ph->p_type == PT_LOAD && (ph->p_flags & PF_W))
			writable(image, at, at + ph->p_memsz, sealed, page);
		if (ph->p_type == PT_DYNAMIC)
			image->wants_us |= needs((const void *)at, load);
		if (ph->p_type == PT_LOAD && here - at < ph->p_memsz)
			image->wants_us = 1;
	}
	return 1;
}

static struct image find(void)
{
	struct image image = { 0 };

	dl_iterate_phdr(look, &image);
	return image;
}

/* Makes the region whole; fails if anything is mapped in between. */
static int fill_gap(const struct image *image)
{
	void *gap = (void *)image->gap;
	size_t bytes = image->gap_end - image->gap;

	if (!bytes || mmap(gap, bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
				   MAP_FIXED_NOREPLACE,
			   -1, 0) == gap)
		return 0;
	shmemi_log_error("the program's static data lies in two segments with "
			 "something in between; SHMEM_STATIC=no runs it "
			 "without sharing them");
	return -ENOTSUP;
}

uint64_t shmemi_data_image_id(void)
{
	return find().id;
}

int shmemi_data_share(int choice, struct conduit_region *region)
{
	const struct conduit_peer self = { .same_node = 1, .host = "" };
	const struct conduit *home = conduit_choose(&self, CONDUIT_DATA);
	struct image image = find();
	int rc;

	*region = shared;
	if (shared.bytes || choice == SHMEMI_NO || image.end <= image.start)
		return 0;
	if (choice == SHMEMI_AUTO && !image.wants_us)
		return 0;
	rc = fill_gap(&image);
	if (rc)
		return rc;
	/*
	 * This function's own statics lie in the region when the library is
	 * linked into the executable; so nothing may change from here on until
	 * the pages are moved.
	 */
	region->base = (char *)image.start;
	region->bytes = image.end - image.start;
	rc = home->ops.adopt(region);
	if (rc)
		return rc;
	shared = *region;
	shmemi_fork_protect(&shared);
	return 0;
}
