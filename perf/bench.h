/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The harness that every program in perf/ runs in.
 *
 * A program is a table of tests. For each test and size the harness opens the
 * case, finds how many operations fill one repetition, and then repeats: fill
 * the buffers, run a few operations untimed, run `iters` operations timed,
 * check every byte that should have arrived. One repetition gives one figure,
 * its time divided by its operations, where the slowest PE counts; the report
 * shows the smallest, the median and the 99th percentile of the repetitions.
 */
#ifndef PERF_BENCH_H
#define PERF_BENCH_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BENCH_GUARD_BYTES = 64, /* behind dst; must stay zero */
	BENCH_WINDOW = 64,	/* operations between two quiets or barriers */
};

/* What a test sees of the size it runs at. */
struct bench_case {
	size_t bytes;
	int me, npes;
	char *src, *dst; /* symmetric; bytes long, or bytes * npes */
	uint64_t seed;	 /* of this repetition, the same on all PEs */
	long ops;	 /* operations since the buffers were filled */
	char **argv;	 /* the command line behind the options */
};

/*
 * Bytes of an operation: those it is asked to move, those that leave the PE,
 * and those that leave its GPU (bench_links).
 */
struct bench_flow {
	double asked, wire, link;
};

/*
 * One row of a program's table. The functions are called on every PE with the
 * same arguments, between barriers.
 */
struct bench_test {
	const char *name;
	const char *what; /* one line for --help */
	bool sized;	  /* runs at each of --sizes; otherwise at: */
	size_t fixed_bytes;
	size_t unit_bytes; /* sizes that are no multiple are left out */
	int trips;	   /* figures per operation; 0 means 1 */
	int flows;	   /* of `bytes` per operation, for GB/s; 0: none */
	/* Optional, instead of flows: what a PE moves in an operation. */
	struct bench_flow (*flow)(const struct bench_case *c);
	bool rate; /* show operations per second */
	bool cold; /* no untimed operations before the timed */

	/* Optional. NULL, or the reason why the test is left out. */
	const char *(*open)(struct bench_case *c);
	/* Optional; otherwise src gets bench_tag(c, me) and dst zeros. */
	void (*fill)(struct bench_case *c);
	void (*run)(struct bench_case *c, long nops);
	/* The number of wrong bytes on this PE. */
	size_t (*check)(const struct bench_case *c);
	void (*close)(struct bench_case *c); /* optional */
};

struct bench_program {
	const char *name, *what;
	const struct bench_test *tests;
	int ntests;
	int min_pes;
	const char *sizes; /* the default of --sizes */
	size_t src_blocks; /* src and dst hold so many times the size; */
	size_t dst_blocks; /* 0 means one block for each PE */
	bool own_buffers;  /* src and dst are NULL: fill and check are set */
	bool takes_command;
	const struct argp_child
		*options;      /* optional: more than the harness's */
	const char *size_name; /* NULL: bytes */
	/* Optional, around all tests; max_bytes is the largest size. */
	void (*open)(size_t max_bytes);
	void (*close)(void);
};

struct bench_args {
	size_t *sizes;
	int nsizes;
	char *tests; /* names with commas, or NULL: all */
	long iters;  /* 0: found by calibration */
	int reps;
	int rep_us;
	int gpus; /* 0: not said, and what crosses links is not counted */
	bool bind, json;
	char **argv;
	const struct bench_program *program;
};

struct bench_row {
	const char *test;
	size_t bytes;
	long iters;
	int reps;
	double min_ns, median_ns, p99_ns;
	double gb_per_s; /* 0: not shown; the same for all below */
	double wire_gb_per_s;
	double link_gb_per_s; /* of a GPU */
	double mop_per_s;
};

/* bench.c: the main of every program; returns the exit status. */
int bench_main(int argc, char **argv, const struct bench_program *program);

/* The tag of what PE `pe` sends in this repetition. */
uint64_t bench_tag(const struct bench_case *c, int pe);
void bench_fill(void *buf, size_t bytes, uint64_t tag);
/* The number of bytes of buf that differ from bench_fill's. */
size_t bench_wrong(const void *buf, size_t bytes, uint64_t tag);
/* The number of bytes of buf that are not 0, as in a guard. */
size_t bench_wrong_zeros(const char *buf, size_t bytes);
/* bench_wrong of dst against PE pe's src, and the guard behind it. */
size_t bench_wrong_dst(const struct bench_case *c, int pe);
/* GPUs of all PEs, who take them in turn; 1 unless --gpus says otherwise. */
int bench_gpus(void);
/* Whether bytes from this PE to PE `pe` cross a link between GPUs. */
bool bench_links(const struct bench_case *c, int pe);
uint64_t bench_now_ns(void);
/* Pins the calling thread to the index'th processor, counted round. */
void bench_bind(int index);
/* How many processors the process was given. */
int bench_ncpus(void);

/* bench_args.c: exits with a message when the arguments are wrong. */
void bench_args_parse(struct bench_args *args, int argc, char **argv,
		      const struct bench_program *program);
bool bench_args_want(const struct bench_args *args, const char *test);
/* From 1 to max, for options; ends the program through argp otherwise. */
long bench_parse_number(struct argp_state *state, const char *name,
			const char *arg, long max);

/* bench_report.c: to stdout; PE 0 calls them. */
void bench_row_from(struct bench_row *row, double *ns, int n);
void bench_report_open(const struct bench_args *args);
void bench_report_row(const struct bench_row *row);
void bench_report_skip(const char *test, const char *reason);
void bench_report_close(long wrong_bytes);

#endif
