/* SPDX-License-Identifier: BSD-3-Clause */
/* The uid kind: what works. */
#include <dirent.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "check.h"

static unsigned seed;

static void exchange_body(int pe, int n)
{
	struct boot *b = uid_open(pe, n);
	const struct boot_info *info = boot_info(b);

	CHECK(!strcmp(info->kind, "uid"));
	CHECK_EQ(info->pe, pe);
	CHECK_EQ(info->n_pes, n);
	CHECK_EQ(info->local_rank, pe);
	CHECK_EQ(info->n_local, n);
	exchange_rounds(b);
	for (int i = 0; i < 200; i++)
		CHECK_EQ(boot_barrier(b), 0);
	CHECK_EQ(boot_close(b), 0);
}

static void late_body(int pe, int n)
{
	uint32_t state = seed + (uint32_t)pe;

	uid_share(pe);
	check_sleep_ms((int)(check_random(&state) % 300));
	exchange_body(pe, n);
}

/* A barrier must not let anybody through before the last has come. */
static void barrier_body(int pe, int n)
{
	struct boot *b = uid_open(pe, n);
	uint32_t state = seed + (uint32_t)pe;

	for (int round = 1; round <= 30; round++) {
		check_sleep_ms((int)(check_random(&state) % 4));
		shared->gate++;
		CHECK_EQ(boot_barrier(b), 0);
		CHECK(shared->gate >= round * n);
		CHECK_EQ(boot_barrier(b), 0);
	}
	CHECK_EQ(boot_close(b), 0);
}

static void on_alarm(int signo)
{
	(void)signo;
}

/* System calls that signals interrupt all the time. */
static void signals_body(int pe, int n)
{
	struct sigaction a = { .sa_handler = on_alarm };
	struct itimerval t = { { 0, 700 }, { 0, 700 } };

	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &t, NULL);
	exchange_body(pe, n);
}

/* PEs close one after the other; the first has exited long before the last. */
static void staggered_close_body(int pe, int n)
{
	struct boot *b = uid_open(pe, n);

	exchange_rounds(b);
	check_sleep_ms(100 * pe);
	CHECK_EQ(boot_close(b), 0);
}

static void staggered_close_reverse_body(int pe, int n)
{
	struct boot *b = uid_open(pe, n);

	exchange_rounds(b);
	check_sleep_ms(100 * (n - pe));
	CHECK_EQ(boot_close(b), 0);
}

/* Without boot_close() outside a collective: nobody else minds. */
static void unclosed_exit_body(int pe, int n)
{
	struct boot *b = uid_open(pe, n);

	CHECK_EQ(boot_barrier(b), 0);
	if (pe == 1)
		_exit(0);
	check_sleep_ms(100);
	CHECK_EQ(boot_close(b), 0);
}

static int count_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	CHECK(d != NULL);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void reopen_body(int pe, int n)
{
	int fds = 0;

	for (int cycle = 0; cycle < 20; cycle++) {
		struct boot *b = uid_open(pe, n);

		CHECK_EQ(boot_barrier(b), 0);
		if (cycle % 2 == pe % 2)
			check_sleep_ms(3);
		CHECK_EQ(boot_close(b), 0);
		if (cycle == 0)
			fds = count_fds();
		CHECK_EQ(count_fds(), fds);
	}
}

/* A uid for each job of a process, the old ones' sockets still open. */
static void new_uids_body(int pe, int n)
{
	for (int cycle = 1; cycle <= 10; cycle++) {
		struct boot *b = uid_open(pe, n);

		gate_pass(cycle * n);
		if (pe == 0)
			shared->uid_ready = 0;
		CHECK_EQ(boot_barrier(b), 0);
		CHECK_EQ(boot_close(b), 0);
	}
}

static int stranger_connect(const unsigned char *uid)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	uint16_t port;

	memcpy(&port, uid + 6, sizeof(port));
	to.sin_port = htons(port);
	CHECK_EQ(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

/* Connections that say nothing, garbage, or half a word, then vanish. */
static void strangers_body(int pe, int n)
{
	char noise[100];
	int fds[30];

	if (pe < n - 1) {
		uid_share(pe);
		while (!shared->gate)
			check_sleep_ms(1);
		exchange_body(pe, n - 1);
		return;
	}
	memset(noise, 'G', sizeof(noise));
	uid_share(pe);
	for (int i = 0; i < 30; i++) {
		fds[i] = stranger_connect(shared->uid);
		if (i % 3)
			CHECK(write(fds[i], noise, i % 3 == 1 ? 100 : 5) > 0);
		if (i % 2)
			close(fds[i]);
	}
	shared->gate = 1;
	check_sleep_ms(300);
}

int main(void)
{
	static const int counts[] = { 1, 2, 3, 8 };

	seed = check_seed();
	for (int i = 0; i < 4; i++)
		run("uid: exchange", counts[i], exchange_body);
	run("uid: late PEs", 8, late_body);
	run("uid: barrier", 5, barrier_body);
	run("uid: signals", 3, signals_body);
	run("uid: staggered close", 4, staggered_close_body);
	run("uid: staggered close, PE 0 last", 4, staggered_close_reverse_body);
	run("uid: exit without close", 3, unclosed_exit_body);
	run("uid: re-open", 3, reopen_body);
	run("uid: new uids", 3, new_uids_body);
	run("uid: strangers", 4, strangers_body);
	return 0;
}
