/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/session.h"

#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/job.h"
#include "launch/message.h"

enum { RANDOM_LETTERS = 6, TRIES = 100 };

/* As mkdtemp does, but the name is known before the directory is there. */
static void name_vary(char *end)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	unsigned char bytes[RANDOM_LETTERS] = { 0 };

	if (getrandom(bytes, sizeof(bytes), 0) < 0)
		return;
	for (int i = 0; i < RANDOM_LETTERS; i++)
		end[i - RANDOM_LETTERS] = letters[bytes[i] % 62];
}

/* The guardian of a killed oshrun finds all of the path or none of it. */
static void path_publish(char *path, const char *name)
{
	strcpy(path + 1, name + 1);
	__atomic_store_n(path, *name, __ATOMIC_RELEASE);
}

static void path_revoke(char *path)
{
	__atomic_store_n(path, '\0', __ATOMIC_RELEASE);
}

static int make_new(char *name, char *path)
{
	int rc = -EEXIST;

	for (int i = 0; i < TRIES && rc == -EEXIST; i++) {
		name_vary(name + strlen(name));
		path_publish(path, name);
		rc = mkdir(name, 0700) ? -errno : 0;
		if (rc)
			path_revoke(path);
	}
	return rc;
}

static int make_under(const char *parent, char *path, size_t bytes)
{
	char name[PATH_MAX];
	char probe[PATH_MAX + 8];
	int rc;

	if (parent[0] != '/')
		return -EINVAL;
	if (snprintf(name, sizeof(name), "%s/oshrun-%u.XXXXXX", parent,
		     (unsigned)getuid()) >= (int)sizeof(name) ||
	    strlen(name) >= bytes)
		return -ENAMETOOLONG;
	rc = make_new(name, path);
	if (rc)
		return rc;
	/* A full or quota-bound file system still makes directories. */
	snprintf(probe, sizeof(probe), "%s/probe", path);
	rc = mkdir(probe, 0700) ? -errno : 0;
	rmdir(probe);
	if (rc) {
		rmdir(path);
		path_revoke(path);
	}
	return rc;
}

int session_create(char *path, size_t bytes)
{
	const char *tmpdir = getenv("TMPDIR");
	const char *const parents[] = { tmpdir, "/tmp", "/dev/shm" };
	char tried[PATH_MAX + 256] = "";
	int rc = -ENOENT;
	size_t used = 0;

	for (size_t i = 0; i < sizeof(parents) / sizeof(*parents); i++) {
		if (!parents[i] || !*parents[i])
			continue;
		rc = make_under(parents[i], path, bytes);
		if (!rc)
			return 0;
		if (used < sizeof(tried))
			used += (size_t)snprintf(
				tried + used, sizeof(tried) - used, "%s%s (%s)",
				used ? ", " : "", parents[i], strerror(-rc));
	}
	oshrun_say("no place for the session directory; tried %s", tried);
	return rc;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

void session_remove(const char *path)
{
	if (*path)
		nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

const char *session_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
