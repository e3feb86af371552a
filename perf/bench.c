/* SPDX-License-Identifier: BSD-3-Clause */
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "comm.h"

enum { MAX_ITERS = 1 << 24 };

struct session {
	const struct bench_program *program;
	struct bench_args args;
	struct bench_case c;
	double *ns;	      /* symmetric, one a repetition */
	struct bench_row row; /* of the last case; PE 0 only */
	long wrong;
	int done, todo; /* cases, for the progress line */
};

uint64_t bench_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int n_gpus = 1;

int bench_gpus(void)
{
	return n_gpus;
}

bool bench_links(const struct bench_case *c, int pe)
{
	return pe % n_gpus != c->me % n_gpus;
}

/* What the process was given, before it bound itself. */
static const cpu_set_t *allowed(void)
{
	static cpu_set_t set;
	static bool known;

	if (!known && sched_getaffinity(0, sizeof(set), &set))
		err(1, "sched_getaffinity");
	known = true;
	return &set;
}

int bench_ncpus(void)
{
	return CPU_COUNT(allowed());
}

void bench_bind(int index)
{
	int left = index % bench_ncpus(), cpu = 0;
	cpu_set_t one;

	while (!CPU_ISSET(cpu, allowed()) || left-- > 0)
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		err(1, "cannot bind to processor %d", cpu);
}

uint64_t bench_tag(const struct bench_case *c, int pe)
{
	return c->seed * 37 + (uint64_t)pe * 101 + 1;
}

/* Neither 256 nor 4096 bytes on is the pattern the same. */
static uint8_t pattern(uint64_t tag, size_t i)
{
	return (uint8_t)(tag + i + 3 * (i >> 8) + 5 * (i >> 12));
}

void bench_fill(void *buf, size_t bytes, uint64_t tag)
{
	uint8_t *b = buf;

	for (size_t i = 0; i < bytes; i++)
		b[i] = pattern(tag, i);
}

size_t bench_wrong(const void *buf, size_t bytes, uint64_t tag)
{
	const uint8_t *b = buf;
	size_t wrong = 0;

	for (size_t i = 0; i < bytes; i++)
		wrong += b[i] != pattern(tag, i);
	return wrong;
}

size_t bench_wrong_zeros(const char *buf, size_t bytes)
{
	size_t wrong = 0;

	for (size_t i = 0; i < bytes; i++)
		wrong += buf[i] != 0;
	return wrong;
}

size_t bench_wrong_dst(const struct bench_case *c, int pe)
{
	return bench_wrong(c->dst, c->bytes, bench_tag(c, pe)) +
	       bench_wrong_zeros(c->dst + c->bytes, BENCH_GUARD_BYTES);
}

static size_t blocks(size_t n)
{
	return n ? n : (size_t)comm_npes();
}

static void fill(const struct session *s, const struct bench_test *t,
		 struct bench_case *c)
{
	const struct bench_program *p = s->program;

	c->ops = 0;
	if (t->fill) {
		t->fill(c);
		return;
	}
	bench_fill(c->src, c->bytes * blocks(p->src_blocks),
		   bench_tag(c, c->me));
	memset(c->dst, 0, c->bytes * blocks(p->dst_blocks) + BENCH_GUARD_BYTES);
}

static double run_timed(const struct bench_test *t, struct bench_case *c,
			long nops)
{
	uint64_t start;

	comm_sync();
	start = bench_now_ns();
	t->run(c, nops);
	c->ops += nops;
	return (double)(bench_now_ns() - start);
}

/*
 * One repetition. The untimed operations bring the lines that the fill and
 * the check left in another core's cache to where the operations want them.
 */
static double repeat(struct session *s, const struct bench_test *t, long iters)
{
	struct bench_case *c = &s->c;
	double ns;

	c->seed++;
	fill(s, t, c);
	if (!t->cold)
		run_timed(t, c, (iters + 9) / 10);
	ns = run_timed(t, c, iters);
	comm_sync();
	s->wrong += (long)t->check(c);
	return ns;
}

/* How many operations fill a repetition, as PE 0 sees it. */
static long calibrate(struct session *s, const struct bench_test *t)
{
	const double want = s->args.rep_us * 1e3;
	long iters = 1;

	for (;;) {
		const double ns = repeat(s, t, iters);
		const double scale = want / (ns < 1 ? 1 : ns);
		const bool last = scale < 4 || iters >= MAX_ITERS;
		long next = iters * (last ? scale : 4);

		if (next > MAX_ITERS)
			next = MAX_ITERS;
		if (next < 1)
			next = 1;
		/* The sign tells the others whether PE 0 is content. */
		next = comm_agree(last ? -next : next);
		if (next < 0)
			return -next;
		iters = next;
	}
}

static void progress(struct session *s, const char *test)
{
	s->done++;
	if (s->c.me || !isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r[%d/%d] %s %zu %s\033[K", s->done, s->todo, test,
		s->c.bytes,
		s->program->size_name ? s->program->size_name : "B");
}

static void progress_clear(const struct session *s)
{
	if (!s->c.me && isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
}

/* Of bytes, those that leave a GPU are all PEs', by the GPUs. */
static void add_flow(struct session *s, const struct bench_test *t)
{
	const struct bench_flow flow = t->flow(&s->c);
	const double link = (double)comm_sum((long)flow.link) / n_gpus;
	struct bench_row *row = &s->row;

	if (s->c.me)
		return;
	row->gb_per_s = flow.asked / row->median_ns;
	row->wire_gb_per_s = flow.wire / row->median_ns;
	row->link_gb_per_s = link / row->median_ns;
}

static void row_begin(struct session *s, const struct bench_test *t, long iters)
{
	struct bench_row *row = &s->row;

	*row = (struct bench_row){
		.test = t->name,
		.bytes = s->c.bytes,
		.iters = iters,
	};
	bench_row_from(row, s->ns, s->args.reps);
	row->gb_per_s = t->flows * (double)s->c.bytes / row->median_ns;
	if (t->rate)
		row->mop_per_s = 1e3 / row->median_ns;
}

static void measure(struct session *s, const struct bench_test *t)
{
	const int reps = s->args.reps;
	const int trips = t->trips ? t->trips : 1;
	const long iters = s->args.iters ? s->args.iters : calibrate(s, t);

	for (int i = 0; i < reps; i++)
		s->ns[i] = repeat(s, t, iters) / ((double)iters * trips);
	comm_max(s->ns, (size_t)reps);
	if (!s->c.me)
		row_begin(s, t, iters);
	if (t->flow)
		add_flow(s, t);
}

/* Whether the test can run at all; if not, its other sizes need no try. */
static bool run_case(struct session *s, const struct bench_test *t,
		     size_t bytes)
{
	const char *reason = NULL;

	s->c.bytes = bytes;
	progress(s, t->name);
	if (t->open)
		reason = t->open(&s->c);
	if (!reason)
		measure(s, t);
	progress_clear(s);
	if (!s->c.me && reason)
		bench_report_skip(t->name, reason);
	else if (!s->c.me)
		bench_report_row(&s->row);
	if (t->close && !reason)
		t->close(&s->c);
	return !reason;
}

static bool fits(const struct bench_test *t, size_t bytes)
{
	return !t->unit_bytes || bytes % t->unit_bytes == 0;
}

/* Counts the cases when s is NULL, otherwise runs them. */
static int each_case(struct session *s, const struct bench_args *args)
{
	const struct bench_program *p = args->program;
	int n = 0;

	for (const struct bench_test *t = p->tests; t < p->tests + p->ntests;
	     t++) {
		if (!bench_args_want(args, t->name))
			continue;
		for (int i = 0; i < (t->sized ? args->nsizes : 1); i++) {
			const size_t bytes =
				t->sized ? args->sizes[i] : t->fixed_bytes;

			if (!fits(t, bytes))
				continue;
			n++;
			if (s && !run_case(s, t, bytes))
				break;
		}
	}
	return n;
}

static size_t largest(const struct bench_args *args)
{
	size_t max = 4096;

	for (int i = 0; i < args->nsizes; i++)
		if (args->sizes[i] > max)
			max = args->sizes[i];
	return max;
}

static void session_run(struct session *s)
{
	const struct bench_program *p = s->program;
	const size_t max = largest(&s->args);
	struct bench_case *c = &s->c;

	if (!p->own_buffers) {
		c->src = comm_alloc(max * blocks(p->src_blocks));
		c->dst = comm_alloc(max * blocks(p->dst_blocks) +
				    BENCH_GUARD_BYTES);
	}
	s->ns = comm_alloc((size_t)s->args.reps * sizeof(*s->ns));
	if (p->open)
		p->open(max);
	if (!c->me)
		bench_report_open(&s->args);
	each_case(s, &s->args);
	s->wrong = comm_sum(s->wrong);
	if (!c->me)
		bench_report_close(s->wrong);
	if (p->close)
		p->close();
	comm_free(s->ns);
	if (!p->own_buffers) {
		comm_free(c->dst);
		comm_free(c->src);
	}
}

int bench_main(int argc, char **argv, const struct bench_program *program)
{
	struct session s = { .program = program };
	int status = 1;

	bench_args_parse(&s.args, argc, argv, program);
	bench_ncpus();
	if (s.args.gpus)
		n_gpus = s.args.gpus;
	comm_open();
	s.c = (struct bench_case){
		.me = comm_me(),
		.npes = comm_npes(),
		.argv = s.args.argv,
	};
	s.todo = each_case(NULL, &s.args);
	if (s.args.bind)
		bench_bind(s.c.me);
	if (s.c.npes < program->min_pes) {
		fprintf(stderr,
			"%s: needs at least %d PEs, was started with "
			"%d\n",
			program->name, program->min_pes, s.c.npes);
		goto close;
	}
	session_run(&s);
	status = s.wrong ? 1 : 0;
close:
	comm_close();
	free(s.args.sizes);
	return status;
}
