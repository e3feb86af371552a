/* SPDX-License-Identifier: BSD-3-Clause */
/* The pmix kind, run under a launcher: pmix_client MODE N|FILE. */
#include "check.h"

static void check_info(const struct boot *b, int n)
{
	const struct boot_info *info = boot_info(b);
	uint64_t mine = boot_node_id(), *all = calloc((size_t)n, sizeof(*all));
	int local_rank = info->local_rank, n_local = info->n_local;

	CHECK(!strcmp(info->kind, "pmix"));
	CHECK_EQ(info->n_pes, n);
	CHECK(info->pe >= 0 && info->pe < n);
	CHECK(info->host[0]);
	CHECK_EQ(boot_allgather((struct boot *)b, &mine, sizeof(mine), all), 0);
	/* What the server says, if it does, is what the node ids say. */
	boot_localize((struct boot *)b, all, sizeof(*all));
	if (n_local == n) {
		CHECK_EQ(info->local_rank, local_rank);
		CHECK_EQ(info->n_local, n_local);
	} else {
		/* Several nodes, which are one host in some tests. */
		CHECK(local_rank <= info->local_rank);
		CHECK(n_local <= info->n_local);
	}
	CHECK(info->local_rank < info->n_local);
	free(all);
}

static struct boot *open_job(void)
{
	struct boot *b = NULL;

	CHECK_EQ(boot_open(&b, 20), 0);
	return b;
}

static void exchange(int n)
{
	struct boot *b = open_job();

	check_info(b, n);
	for (int i = 0; i < 50; i++)
		CHECK_EQ(boot_barrier(b), 0);
	exchange_rounds(b);
	CHECK_EQ(boot_close(b), 0);
}

static void reopen(int n)
{
	for (int cycle = 0; cycle < 20; cycle++) {
		struct boot *b = open_job();

		check_info(b, n);
		exchange_once(b, cycle, 500);
		exchange_once(b, cycle + 1, 500);
		CHECK_EQ(boot_close(b), 0);
	}
}

static void staggered(int n)
{
	struct boot *b = open_job();

	CHECK_EQ(boot_info(b)->n_pes, n);
	CHECK_EQ(boot_barrier(b), 0);
	check_sleep_ms(150 * boot_info(b)->pe);
	CHECK_EQ(boot_close(b), 0);
}

/* The last PE aborts; one sleeps, the others are in a collective. */
static void abort_job(int n)
{
	struct boot *b = open_job();

	CHECK_EQ(boot_barrier(b), 0);
	if (boot_info(b)->pe == n - 1)
		boot_abort(b, 42, "the end");
	if (boot_info(b)->pe)
		boot_barrier(b);
	check_sleep_ms(60000);
}

/* The last PE does not open: the others hear of it, and only then end. */
static void missing(int n)
{
	int last = atoi(getenv("PMIX_RANK")) == n - 1;
	struct boot *b = NULL;
	char *all;

	if (last)
		check_sleep_ms(60000);
	all = calloc((size_t)n, 1);
	CHECK_EQ(boot_open(&b, 1), 0);
	CHECK_EQ(boot_allgather(b, "x", 1, all), -ETIMEDOUT);
	free(all);
	CHECK_EQ(boot_close(b), 0);
	_exit(44);
}

static void die(int n)
{
	struct boot *b = open_job();

	CHECK_EQ(boot_barrier(b), 0);
	if (boot_info(b)->pe == n - 1)
		raise(SIGKILL);
	boot_barrier(b);
	check_sleep_ms(60000);
}

/* Adds "PE pid" to the file that argv names, and waits for its end. */
static void wait_for_end(const char *file)
{
	struct boot *b = open_job();
	FILE *f;

	CHECK_EQ(boot_barrier(b), 0);
	f = fopen(file, "a");
	CHECK(f != NULL);
	fprintf(f, "%d %d\n", boot_info(b)->pe, (int)getpid());
	CHECK_EQ(fclose(f), 0);
	check_sleep_ms(50000);
	_exit(45);
}

/* PMIx's threads must sleep while the program does. */
static void idle(int n)
{
	struct boot *b = open_job();
	clock_t before, used;

	CHECK_EQ(boot_info(b)->n_pes, n);
	CHECK_EQ(boot_barrier(b), 0);
	before = clock();
	check_sleep_ms(1000);
	used = clock() - before;
	CHECK(used < CLOCKS_PER_SEC / 100);
	CHECK_EQ(boot_close(b), 0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*body)(int n);
	} modes[] = {
		{ "exchange", exchange },   { "reopen", reopen },
		{ "staggered", staggered }, { "abort", abort_job },
		{ "missing", missing },	    { "die", die },
		{ "idle", idle },
	};

	CHECK_EQ(argc, 3);
	if (!strcmp(argv[1], "wait"))
		wait_for_end(argv[2]);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].name)) {
			modes[i].body(atoi(argv[2]));
			return 0;
		}
	fprintf(stderr, "no mode %s\n", argv[1]);
	return 2;
}
