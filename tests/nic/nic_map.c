/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of another process: what its regions lie in is found in its list of
 * mappings, and the files that back it are mapped here too. Memory without a
 * file stays its own: bytes can be read and written there by the kernel.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "nic_impl.h"

#define SLOTS 65536
#define HUGE_BYTES ((uint64_t)2 << 20) /* what large pages are mapped by */

/* A mapping, as /proc/PID/maps has it. */
struct area {
	unsigned long start, end, offset, inode;
	unsigned int major, minor;
	char rights[8];
};

/* A stretch of a region, and where it lies here. */
struct piece {
	struct piece *next;
	uint64_t start, end; /* there */
	char *here;	     /* NULL: it can't be mapped */
};

struct view {
	uint32_t rkey;
	struct piece *pieces;
	char *gpu; /* of the allocation; NULL: none */
};
static struct view *views[SLOTS];

static int area_read(FILE *maps, struct area *area)
{
	char line[4600];

	return fgets(line, sizeof(line), maps) &&
	       sscanf(line, "%lx-%lx %7s %lx %x:%x %lu", &area->start,
		      &area->end, area->rights, &area->offset, &area->major,
		      &area->minor, &area->inode) == 7;
}

static FILE *maps_open(int pid)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	return fopen(name, "re");
}

size_t nic_map_extent(const void *p, size_t bytes, int write)
{
	const unsigned long start = (uintptr_t)p, end = start + bytes;
	unsigned long at = start;
	FILE *maps = maps_open((int)getpid());
	struct area a;

	if (!maps)
		return bytes;
	while (at < end && area_read(maps, &a)) {
		if (a.end <= at)
			continue;
		if (a.start > at || a.rights[0] != 'r' ||
		    (write && a.rights[1] != 'w'))
			break;
		at = a.end;
	}
	fclose(maps);
	return (at < end ? at : end) - start;
}

static int same_file(const char *name, const struct area *a)
{
	struct stat s;

	return !stat(name, &s) && s.st_ino == a->inode &&
	       major(s.st_dev) == a->major && minor(s.st_dev) == a->minor;
}

/* A descriptor of the area's file, by one that its process has; or -1. */
static int fd_of_theirs(int pid, const struct area *a)
{
	char name[320];
	struct dirent *entry;
	DIR *dir;
	int fd = -1;

	snprintf(name, sizeof(name), "/proc/%d/fd", pid);
	dir = opendir(name);
	if (!dir)
		return -1;
	while (fd < 0 && (entry = readdir(dir))) {
		snprintf(name, sizeof(name), "/proc/%d/fd/%s", pid,
			 entry->d_name);
		if (same_file(name, a))
			fd = open(name, O_RDWR | O_CLOEXEC);
	}
	closedir(dir);
	return fd;
}

/* For privileged users this needs no descriptor of the other's. */
static int fd_of_area(int pid, const struct area *a)
{
	char name[96];
	int fd = fd_of_theirs(pid, a);

	if (fd >= 0)
		return fd;
	snprintf(name, sizeof(name), "/proc/%d/map_files/%lx-%lx", pid,
		 a->start, a->end);
	return open(name, O_RDWR | O_CLOEXEC);
}

static char *area_map(int pid, const struct area *a, uint64_t start,
		      uint64_t end)
{
	const int fd =
		a->inode && a->rights[3] == 's' ? fd_of_area(pid, a) : -1;
	char *p;

	if (fd < 0)
		return NULL;
	p = mmap(NULL, end - start, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_NORESERVE, fd,
		 (off_t)(a->offset + (start - a->start)));
	close(fd);
	return p == MAP_FAILED ? NULL : p;
}

static int piece_add(struct view *view, int pid, const struct area *a,
		     uint64_t first, uint64_t last)
{
	struct piece *piece = calloc(1, sizeof(*piece));

	if (!piece)
		return -ENOMEM;
	piece->start = a->start > first ? a->start : first;
	piece->end = a->end < last ? a->end : last;
	piece->here = area_map(pid, a, piece->start, piece->end);
	piece->next = view->pieces;
	view->pieces = piece;
	return 0;
}

static int pieces_find(struct view *view, const struct nic_shared_mr *mr)
{
	const uint64_t first = mr->host / HUGE_BYTES * HUGE_BYTES;
	const uint64_t last = (mr->host + mr->bytes + HUGE_BYTES - 1) /
			      HUGE_BYTES * HUGE_BYTES;
	FILE *maps = maps_open(mr->pid);
	struct area a;
	int rc = 0;

	if (!maps)
		return -errno;
	while (!rc && area_read(maps, &a) && a.start < last)
		if (a.end > first)
			rc = piece_add(view, mr->pid, &a, first, last);
	fclose(maps);
	return rc;
}

static void view_clear(struct view *view)
{
	struct piece *piece, *next;

	for (piece = view->pieces; piece; piece = next) {
		next = piece->next;
		if (piece->here)
			munmap(piece->here, piece->end - piece->start);
		free(piece);
	}
	view->pieces = NULL;
	view->rkey = 0;
}

static int view_fill(struct view *view, const struct nic_shared_mr *mr)
{
	int rc = 0;

	view_clear(view);
	if (mr->host)
		rc = pieces_find(view, mr);
	else
		view->gpu = nic_gpu_import(mr->gpu_handle);
	if (!rc)
		view->rkey = mr->rkey;
	return rc;
}

static int view_of(const struct nic_shared_mr *mr, struct view **view)
{
	struct view **place = &views[mr->rkey >> 8 & (SLOTS - 1)];

	if (!*place)
		*place = calloc(1, sizeof(**place));
	*view = *place;
	if (!*place)
		return -ENOMEM;
	return (*place)->rkey == mr->rkey ? 0 : view_fill(*place, mr);
}

static int in_gpu(const struct nic_shared_mr *mr, const struct view *view,
		  uint64_t at, struct nic_span *span)
{
	if (!view->gpu)
		return -EFAULT;
	span->p = view->gpu + mr->gpu_offset + (at - mr->addr);
	span->gpu = 1;
	return 0;
}

static int in_pieces(const struct nic_shared_mr *mr, const struct view *view,
		     uint64_t there, struct nic_span *span)
{
	const struct piece *piece = view->pieces;

	while (piece && (there < piece->start || there >= piece->end))
		piece = piece->next;
	if (!piece)
		return -EFAULT;
	if (piece->end - there < span->bytes)
		span->bytes = piece->end - there;
	span->pid = piece->here ? 0 : mr->pid;
	span->p = piece->here ? piece->here + (there - piece->start) :
				(char *)(uintptr_t)there;
	return 0;
}

int nic_map_remote(const struct nic_shared_mr *mr, uint64_t at, size_t bytes,
		   struct nic_span *span)
{
	const uint64_t there = mr->host + (at - mr->addr);
	struct view *view;
	int rc;

	*span = (struct nic_span){ .bytes = bytes };
	if (mr->pid == getpid()) {
		span->gpu = !mr->host;
		span->p = (char *)(uintptr_t)(mr->host ? there : at);
		return 0;
	}
	rc = view_of(mr, &view);
	if (rc)
		return rc;
	return mr->host ? in_pieces(mr, view, there, span) :
			  in_gpu(mr, view, at, span);
}

void nic_map_close(void)
{
	for (int i = 0; i < SLOTS; i++) {
		if (!views[i])
			continue;
		view_clear(views[i]);
		free(views[i]);
		views[i] = NULL;
	}
}
