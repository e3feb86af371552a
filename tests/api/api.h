/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the programs call_*.c share: the typed routines of the tables with
 * their types forgotten, so that a test body is ordinary C, run for every
 * routine that has it.
 */
#ifndef API_H
#define API_H

#include <stdbool.h>
#define SHMEMI_NO_GENERIC
#include <shmem.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* The largest number of PEs that these tests run with. */
#define MAX_PES 16

/*
 * An element type. `set` makes an element from a number: integers wrap, the
 * others take its remainder by 4096, complex ones an imaginary part too. `get`
 * and `real` are its inverse. Sized forms (mem, 8 to 128 bits) have set and
 * equal only.
 */
struct api_type {
	const char *name;
	size_t size;
	void (*set)(void *p, int64_t value);
	bool (*equal)(const void *a, const void *b);
	int64_t (*get)(const void *p);
	long double (*real)(const void *p);
	void (*add)(void *sum, const void *p);
	void (*multiply)(void *product, const void *p);
};

/* Every argument that a typed routine has; each takes its own. */
struct api_args {
	shmem_ctx_t ctx;
	shmem_team_t team;
	void *dest; /* also ivar, ivars */
	const void *source;
	void *result; /* of an element's type; also fetch */
	const void *value, *cond;
	const void *cmp_values;
	size_t nelems; /* also nblocks, nreduce */
	size_t bsize;
	ptrdiff_t dst, sst;
	uint64_t *sig_addr, signal;
	size_t *indices;
	const int *status;
	int sig_op, cmp, root, pe;
	int start, log_stride, set_size;
	long *psync;
	void *pwrk;
	size_t count; /* out: what a routine returned that is no element */
};

/* A typed routine. `body` says what it does, as its table row. */
struct api_routine {
	const char *name, *body;
	const struct api_type *type;
	bool ctx;
	void (*call)(struct api_args *a);
};

extern const struct api_routine api_routines[];
extern const size_t api_routine_count;

extern int api_me, api_n;

/*
 * The context that `ctx` routines get, over a team in reverse order so that
 * one which ignores it is found out.
 */
extern shmem_ctx_t api_ctx;

/* shmem_init and shmem_finalize around the tests; api_end is main's result. */
void api_begin(void);
int api_end(void);

/*
 * Runs `run` for every routine with that body; it is an error if there is
 * none.
 */
void api_each(const char *body,
	      void (*run)(const struct api_routine *r, const void *arg),
	      const void *arg);

/* Counts a failure and prints it, with the PE, unless there were many. */
void api_fail(const char *name, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#define CHECK(name, condition) \
	((condition) ? (void)0 : \
	 api_fail(name, "line %d: not %s", __LINE__, #condition))

/* Empty arguments for a call of r to a PE of the world. */
struct api_args api_args(const struct api_routine *r, int pe);

/* Completes what r's context has in flight. */
void api_quiet(const struct api_routine *r);

/* A number for element i of what `from` sends `to`, new in each api_each. */
int64_t api_value(int from, int to, size_t i);

/* Element i of an array, and filling it with one number. */
void *api_at(const struct api_type *t, const void *array, size_t i);
void api_fill(const struct api_type *t, void *array, size_t n, int64_t value);

/* Whether element i of an array was set to value. */
bool api_is(const struct api_type *t, const void *array, size_t i,
	    int64_t value);

/* Symmetric memory: from the heap, or from static data. */
#define API_STATIC_BYTES 65536
void *api_memory(bool heap, size_t bytes);
void api_memory_free(void *memory);

/*
 * Groups of PEs that collectives run over: teams, or the active sets of the
 * deprecated forms. rank is this PE's, -1 where it is no member.
 */
struct api_group {
	shmem_team_t team;
	int start, stride, size, rank;
};

size_t api_groups(bool active_sets, struct api_group *groups);
#define API_MAX_GROUPS 4

/* Arguments of a collective call of r by a member of g. */
struct api_args api_group_args(const struct api_group *g, void *pwrk);

/* Checks that the deprecated forms restored pSync; after a barrier. */
void api_psync_check(const struct api_routine *r);

/* Called by the wrapper of each routine, number i of the tables. */
void api_called(size_t i);

/* Leaves the names of what was called; also done at exit. */
void api_called_write(void);

#endif
