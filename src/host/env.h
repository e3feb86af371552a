/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The environment: env.def is the one list; this struct, the parser, the table
 * that shmem_info prints and the man page follow from it.
 *
 * SHMEM_<NAME> wins over SMA_<NAME>, the standard's deprecated spelling of its
 * own four variables, and that over the default.
 */
#ifndef SHMEMI_ENV_H
#define SHMEMI_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* STATIC and HUGE_PAGES */
enum shmemi_env_choice { SHMEMI_AUTO, SHMEMI_YES, SHMEMI_NO };

enum shmemi_env_barrier {
	SHMEMI_BARRIER_AUTO,
	SHMEMI_BARRIER_DISSEMINATION,
	SHMEMI_BARRIER_CENTRAL,
};

/* PROGRESS: who moves on what is under way between nodes. */
enum shmemi_env_progress { SHMEMI_BY_THREAD, SHMEMI_BY_CALLS };

/* NET_ATOMICS: who makes atomics on another node's host memory. */
enum shmemi_env_net_atomics { SHMEMI_BY_CPU, SHMEMI_BY_DEVICE };

/* HOST_ATOMICS: who makes kernels' atomics on host memory. */
enum shmemi_env_host_atomics {
	SHMEMI_ATOMICS_AUTO,
	SHMEMI_ATOMICS_NATIVE,
	SHMEMI_ATOMICS_PROXY,
};

/* GDA: which NICs kernels drive. */
enum shmemi_env_gda {
	SHMEMI_GDA_AUTO,
	SHMEMI_GDA_NO,
	SHMEMI_GDA_MLX5,
	SHMEMI_GDA_BNXT_RE,
	SHMEMI_GDA_IONIC,
	SHMEMI_GDA_VERBS,
};

enum shmemi_env_gda_memory { SHMEMI_GDA_IN_HOST, SHMEMI_GDA_IN_DEVICE };
enum shmemi_env_gda_errors { SHMEMI_GDA_RETURN, SHMEMI_GDA_ABORT };

/* ALLTOALL_, BROADCAST_, COLLECT_ and REDUCE_ALGORITHM */
enum shmemi_env_coll {
	SHMEMI_COLL_AUTO,
	SHMEMI_COLL_FLAT,
	SHMEMI_COLL_NODE,
	SHMEMI_COLL_DIRECT,
};

/* CPU_WAVE: what a wave has, by the index of its word. */
enum shmemi_env_wave { SHMEMI_WAVE_32, SHMEMI_WAVE_64 };

/* PLATFORM: the words, by index, as shmemg_open() takes them; NULL ends. */
extern const char *const shmemi_platform_words[];

/* The value of a size that says "auto". */
#define SHMEMI_ENV_SIZE_AUTO SIZE_MAX

/* The type that each kind of row has in struct shmemi_env. */
typedef bool shmemi_env_FLAG; /* any word but one of "no" sets it */
typedef bool shmemi_env_BOOL;
typedef int shmemi_env_INT;
typedef size_t shmemi_env_SIZE;
typedef const char *shmemi_env_TEXT;
typedef int shmemi_env_ENUM;	       /* index into the row's words */
typedef unsigned int shmemi_env_WORDS; /* bit mask by the row's words */

#define ROW(kind, NAME, field, ...) shmemi_env_##kind field;
struct shmemi_env {
#include "env.def"
};
#undef ROW

/*
 * Fills @env from the environment, each absent variable by its default.
 * Each malformed value of a known variable, and each unknown SHMEM_ variable,
 * is logged in one line, and its field keeps the default.  Unknown SMA_
 * variables are left alone.
 * 0, or -EINVAL if anything was logged.
 */
int shmemi_env_parse(struct shmemi_env *env);

/* One row as it stands in this process, for those who print the table. */
struct shmemi_env_item {
	const char *name;   /* SHMEM_<NAME> */
	const char *value;  /* as given, or the default */
	const char *source; /* variable it came from, NULL for the default */
	const char *dflt;
	const char *category;
	const char *help;
	char expected[128]; /* what a value may be, in words */
	bool valid;
};

/* Row number @row, from 0.  False past the last one. */
bool shmemi_env_item(size_t row, struct shmemi_env_item *item);

/*
 * Unknown variables: "SHMEM_X=value" of this process, the one after *@cursor,
 * which starts at 0, or NULL.  The nearest known name, or NULL if none is near.
 */
const char *shmemi_env_unknown(size_t *cursor);
const char *shmemi_env_nearest(const char *variable);

/*
 * Prints the table, values, defaults, origins and help, with errors in place.
 * The number of errors.
 */
int shmemi_env_print(FILE *out);

#endif
