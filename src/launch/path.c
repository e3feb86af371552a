/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_file(const char *file)
{
	struct stat st;

	if (stat(file, &st))
		return errno == ENOTDIR ? ENOENT : errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return access(file, X_OK) ? errno : 0;
}

static char *check_given(const char *name)
{
	int rc = *name ? check_file(name) : ENOENT;

	if (rc) {
		errno = rc;
		return NULL;
	}
	return strdup(name);
}

char *path_find(const char *name)
{
	const char *dir = getenv("PATH");
	int best = ENOENT;

	if (*name == '\0' || strchr(name, '/'))
		return check_given(name);
	if (!dir)
		dir = "/bin:/usr/bin";
	for (;;) {
		int len = (int)strcspn(dir, ":");
		char *file;
		int rc;

		if (asprintf(&file, "%.*s/%s", len ? len : 1, len ? dir : ".",
			     name) < 0)
			return NULL;
		rc = check_file(file);
		if (!rc)
			return file;
		free(file);
		if (rc == EACCES)
			best = EACCES;
		if (dir[len] == '\0')
			break;
		dir += len + 1;
	}
	errno = best;
	return NULL;
}
