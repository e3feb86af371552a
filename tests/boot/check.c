/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

struct shared *shared;

static const char *run_name;
static int run_pes, statuses[MAX_PES];
static FILE *errors_file;
static char errors_text[65536];
static double run_began_s;

void check(int ok, const char *what, const char *file, int line)
{
	if (ok)
		return;
	fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
	_exit(PE_FAILED);
}

void check_eq(long a, long b, const char *what, const char *file, int line)
{
	if (a == b)
		return;
	fprintf(stderr, "%s:%d: failed: %s, but %ld and %ld\n", file, line,
		what, a, b);
	_exit(PE_FAILED);
}

double check_now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void check_sleep_ms(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

unsigned check_seed(void)
{
	const char *text = getenv("SEED");
	unsigned seed =
		text ? (unsigned)strtoul(text, NULL, 0) : (unsigned)time(NULL);

	printf("SEED=%u\n", seed);
	return seed;
}

uint32_t check_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static void pe_run(int pe, void (*body)(int pe, int n))
{
	dup2(fileno(errors_file), STDERR_FILENO);
	alarm(120);
	body(pe, run_pes);
	exit(0);
}

void run_start(const char *name, int n, void (*body)(int pe, int n))
{
	run_name = name;
	run_pes = n;
	run_began_s = check_now_s();
	errors_file = tmpfile();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(errors_file && shared != MAP_FAILED);
	fflush(NULL);
	for (int pe = 0; pe < n; pe++) {
		pid_t pid = fork();

		CHECK(pid >= 0);
		if (!pid)
			pe_run(pe, body);
		shared->pids[pe] = pid;
	}
}

static int wait_one(pid_t pid, double until_s)
{
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (check_now_s() > until_s) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			break;
		}
		check_sleep_ms(2);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void run_end(int limit_s)
{
	double until_s = run_began_s + limit_s;
	size_t bytes;

	for (int pe = 0; pe < run_pes; pe++)
		statuses[pe] = wait_one(shared->pids[pe], until_s);
	rewind(errors_file);
	bytes = fread(errors_text, 1, sizeof(errors_text) - 1, errors_file);
	errors_text[bytes] = '\0';
	fclose(errors_file);
	munmap(shared, sizeof(*shared));
	printf("%s, %d PEs: %.3f s, statuses", run_name, run_pes,
	       check_now_s() - run_began_s);
	for (int pe = 0; pe < run_pes; pe++)
		printf(" %d", statuses[pe]);
	printf("\n%s", errors_text);
	fflush(stdout);
	CHECK(!strstr(errors_text, "Sanitizer"));
}

int run_status(int pe)
{
	return statuses[pe];
}

void run_must_say(const char *text)
{
	if (strstr(errors_text, text))
		return;
	printf("%s: no PE printed \"%s\"\n", run_name, text);
	exit(1);
}

void run(const char *name, int n, void (*body)(int pe, int n))
{
	run_start(name, n, body);
	run_end(60);
	for (int pe = 0; pe < n; pe++)
		CHECK_EQ(run_status(pe), 0);
}

static unsigned char byte_of(int pe, int round, size_t i)
{
	return (unsigned char)(pe * 31 + round * 7 + (int)(i * 13));
}

void exchange_once(struct boot *b, int round, size_t bytes)
{
	int pe = boot_info(b)->pe, n = boot_info(b)->n_pes;
	unsigned char *mine = malloc(bytes + 1);
	unsigned char *all = malloc(bytes * (size_t)n + 1);
	long wrong = 0;

	CHECK(mine && all);
	for (size_t i = 0; i < bytes; i++)
		mine[i] = byte_of(pe, round, i);
	all[bytes * (size_t)n] = 0x5a;
	CHECK_EQ(boot_allgather(b, mine, bytes, all), 0);
	CHECK_EQ(all[bytes * (size_t)n], 0x5a);
	for (int other = 0; other < n; other++)
		for (size_t i = 0; i < bytes; i++)
			wrong += all[(size_t)other * bytes + i] !=
				 byte_of(other, round, i);
	CHECK_EQ(wrong, 0);
	free(mine);
	free(all);
}

void exchange_rounds(struct boot *b)
{
	uint32_t state = 12345;

	for (int round = 0; round < 20; round++)
		exchange_once(b, round, check_random(&state) % 5000);
	exchange_once(b, 20, 0);
	exchange_once(b, 21, 1);
	exchange_once(b, 22, 1 << 20);
}

const unsigned char *uid_share(int pe)
{
	if (pe == 0 && !shared->uid_ready) {
		CHECK_EQ(boot_uid_make(shared->uid, sizeof(shared->uid)), 0);
		shared->uid_ready = 1;
	}
	while (!shared->uid_ready)
		check_sleep_ms(1);
	return shared->uid;
}

struct boot *uid_open(int pe, int n)
{
	struct boot *b = NULL;

	CHECK_EQ(boot_open_uid(&b, pe, n, uid_share(pe), 20), 0);
	return b;
}

void gate_pass(int n)
{
	shared->gate++;
	while (shared->gate < n)
		check_sleep_ms(1);
}
