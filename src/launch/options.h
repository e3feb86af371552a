/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of oshrun. */
#ifndef OSHRUN_OPTIONS_H
#define OSHRUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum bind_to { BIND_NONE, BIND_HWTHREAD, BIND_CORE, BIND_NUMA, BIND_SOCKET };
enum map_by { MAP_SLOT, MAP_CORE, MAP_NUMA, MAP_SOCKET };

struct oshrun_app {
	char **argv;   /* NULL-terminated */
	char *path;    /* what to execute, set by path_resolve() */
	unsigned npes; /* 0: not given */
};

struct oshrun_options {
	struct oshrun_app *apps;
	unsigned napps;
	char **exports; /* "VAR" or "VAR=value" */
	unsigned nexports;
	enum bind_to bind;
	bool bind_given;
	enum map_by map;
	double timeout_s; /* 0: none */
	const char *hosts;
	const char *hostfile;
	const char *wdir;
	const char *launcher; /* name or path, NULL: any */
	bool tag_output;
	bool verbose;
	bool report_bindings;
};

/* Largest accepted PE count: PMIx holds local ranks in 16 bits. */
enum { OSHRUN_MAX_NPES = 65535 };

/* Fills *opt; exits with 64 and one line of reason on misuse. */
void options_parse(struct oshrun_options *opt, int argc, char **argv);

/* The words --bind and --map-by take, by enum value. */
extern const char *const bind_names[];
extern const char *const map_names[];

#endif
