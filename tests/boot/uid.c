/* SPDX-License-Identifier: BSD-3-Clause */
/* The uid kind: what works, and that each failure reaches every PE at once. */
#include <dirent.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "check.h"

static unsigned seed;

/* PE 0 makes a uid, everybody gets it. */
static const unsigned char *uid_share(int pe)
{
	if (pe == 0 && !shared->uid_ready) {
		CHECK_EQ(boot_uid_make(shared->uid, sizeof(shared->uid)), 0);
		shared->uid_ready = 1;
	}
	while (!shared->uid_ready)
		check_sleep_ms(1);
	return shared->uid;
}

static struct boot *uid_open(int pe, int n)
{
	struct boot *b = NULL;

	CHECK_EQ(boot_open_uid(&b, pe, n, uid_share(pe), 20), 0);
	return b;
}

static void gate_pass(int n)
{
	shared->gate++;
	while (shared->gate < n)
		check_sleep_ms(1);
}

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

static void wrong_key_body(int pe, int n)
{
	unsigned char uid[BOOT_UID_BYTES];
	struct boot *b;

	memcpy(uid, uid_share(pe), sizeof(uid));
	if (pe == 1)
		uid[10] ^= 1;
	CHECK_EQ(boot_open_uid(&b, pe, n, uid, 20), -EACCES);
}

static void wrong_count_body(int pe, int n)
{
	struct boot *b;

	CHECK_EQ(boot_open_uid(&b, pe, n + (pe == 1), uid_share(pe), 20),
		 -EINVAL);
}

static void duplicate_body(int pe, int n)
{
	struct boot *b;

	CHECK_EQ(boot_open_uid(&b, pe ? 1 : 0, n, uid_share(pe), 20), -EINVAL);
}

/* The PE that comes after the job has failed hears of it too. */
static void late_refused_body(int pe, int n)
{
	struct boot *b;
	int rc;

	uid_share(pe);
	check_sleep_ms(pe == 2 ? 2500 : 0);
	rc = boot_open_uid(&b, pe, n + (pe == 1), shared->uid, 20);
	CHECK_EQ(rc, pe == 2 ? -ECONNREFUSED : -EINVAL);
}

static void not_maker_body(int pe, int n)
{
	struct boot *b;

	CHECK_EQ(boot_open_uid(&b, 1 - pe, n, uid_share(pe), 1),
		 pe ? -EINVAL : -ETIMEDOUT);
}

static void missing_pe_body(int pe, int n)
{
	double began_s = check_now_s();
	struct boot *b;

	CHECK_EQ(boot_open_uid(&b, pe, n + 2, uid_share(pe), 1), -ETIMEDOUT);
	CHECK(check_now_s() - began_s > 0.9);
	CHECK(check_now_s() - began_s < 4);
}

/* PE 0 has the uid but does not open. */
static void missing_root_body(int pe, int n)
{
	struct boot *b;

	uid_share(pe);
	if (pe)
		CHECK_EQ(boot_open_uid(&b, pe, n, shared->uid, 1), -ETIMEDOUT);
	gate_pass(n);
}

static void dead_root_body(int pe, int n)
{
	struct boot *b;

	uid_share(pe);
	if (pe == 0)
		_exit(0);
	check_sleep_ms(100);
	CHECK_EQ(boot_open_uid(&b, pe, n, shared->uid, 20), -ECONNREFUSED);
}

static void join_victim_body(int pe, int n)
{
	struct boot *b;

	uid_share(pe);
	if (pe == n - 1)
		pause();
	CHECK_EQ(boot_open_uid(&b, pe, n, shared->uid, 20), -ECONNRESET);
}

/* The last PE dies while PE 0 still waits for another one. */
static void test_dead_while_joining(void)
{
	run_start("uid: PE dies while joining", 4, join_victim_body);
	/* PE 2 is stopped after its hello; PE 3 never comes. */
	check_sleep_ms(500);
	kill(shared->pids[2], SIGKILL);
	check_sleep_ms(1500);
	kill(shared->pids[3], SIGKILL);
	run_end(10);
	CHECK_EQ(run_status(0), 0);
	CHECK_EQ(run_status(1), 0);
	run_must_say("PE 2 at ");
}

static int victim;

static void dead_peer_body(int pe, int n)
{
	struct boot *b = uid_open(pe, n);
	char all[MAX_PES];
	double began_s;

	CHECK_EQ(boot_barrier(b), 0);
	if (pe == victim) {
		check_sleep_ms(200);
		raise(SIGKILL);
	}
	began_s = check_now_s();
	CHECK_EQ(boot_allgather(b, "x", 1, all), -ECONNRESET);
	CHECK(check_now_s() - began_s < 2);
	CHECK_EQ(boot_barrier(b), -ECONNRESET);
	CHECK_EQ(boot_close(b), 0);
}

static void test_dead_peer(int who)
{
	char text[32];

	victim = who;
	run_start("uid: PE dies", 4, dead_peer_body);
	run_end(20);
	for (int pe = 0; pe < 4; pe++)
		CHECK_EQ(run_status(pe), pe == who ? 128 + SIGKILL : 0);
	snprintf(text, sizeof(text), "PE %d at ", who);
	run_must_say(text);
}

static void closed_peer_body(int pe, int n)
{
	struct boot *b = uid_open(pe, n);

	if (pe != victim)
		CHECK_EQ(boot_barrier(b), -EPIPE);
	CHECK_EQ(boot_close(b), 0);
}

static void test_closed_peer(int who)
{
	victim = who;
	run("uid: PE closes, others in a collective", 3, closed_peer_body);
}

static void sizes_body(int pe, int n)
{
	struct boot *b = uid_open(pe, n);
	char mine[8] = "", all[8 * MAX_PES];

	CHECK_EQ(boot_allgather(b, mine, pe == 2 ? 7 : 8, all), -EINVAL);
	CHECK_EQ(boot_close(b), 0);
}

/* Only the victim calls: some sleep, some are in a collective. */
static int abort_status;

static void abort_body(int pe, int n)
{
	struct boot *b = uid_open(pe, n);

	CHECK_EQ(boot_barrier(b), 0);
	if (pe == victim)
		boot_abort(b, abort_status, "the end");
	if (pe % 2)
		check_sleep_ms(30000);
	boot_barrier(b);
	check_sleep_ms(30000);
}

static void test_abort(int n, int who, int status)
{
	double began_s = check_now_s();

	victim = who;
	abort_status = status;
	run_start("uid: abort", n, abort_body);
	run_end(20);
	for (int pe = 0; pe < n; pe++)
		CHECK_EQ(run_status(pe), status);
	CHECK(check_now_s() - began_s < 5);
	run_must_say("the end");
}

static void stopped_abort_body(int pe, int n)
{
	struct boot *b = uid_open(pe, n);

	CHECK_EQ(boot_barrier(b), 0);
	if (pe == 1)
		raise(SIGSTOP);
	check_sleep_ms(100);
	if (pe == 2)
		boot_abort(b, 3, NULL);
	check_sleep_ms(30000);
}

/* A PE that is stopped cannot keep the others from ending. */
static void test_abort_stopped(void)
{
	pid_t stopped;

	run_start("uid: abort past a stopped PE", 3, stopped_abort_body);
	check_sleep_ms(6000);
	stopped = shared->pids[1];
	kill(stopped, SIGCONT);
	run_end(10);
	for (int pe = 0; pe < 3; pe++)
		CHECK_EQ(run_status(pe), 3);
}

static void *abort_thread(void *b)
{
	check_sleep_ms(100);
	boot_abort(b, 17, "from another thread");
}

static void thread_abort_body(int pe, int n)
{
	struct boot *b = uid_open(pe, n);
	pthread_t t;

	CHECK_EQ(boot_barrier(b), 0);
	if (pe == 1)
		pthread_create(&t, NULL, abort_thread, b);
	if (pe != 2)
		boot_barrier(b);
	check_sleep_ms(30000);
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

static void test_works(void)
{
	static const int counts[] = { 1, 2, 3, 8 };

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
}

static void test_refused(void)
{
	run("uid: wrong key", 3, wrong_key_body);
	run_must_say("PE 1 at ");
	run("uid: wrong count", 3, wrong_count_body);
	run_must_say("a PE count of 4, PE 0 one of 3");
	run("uid: duplicate PE", 3, duplicate_body);
	run_must_say("want to be PE 1");
	run("uid: refused PE comes late", 3, late_refused_body);
	run("uid: PE 0 is not the maker", 2, not_maker_body);
	run("uid: missing PEs", 2, missing_pe_body);
	run_must_say("2 of 4 PEs did not come");
	run_must_say("PE 2 3");
	run("uid: PE 0 does not open", 3, missing_root_body);
	run("uid: PE 0 is dead", 3, dead_root_body);
	run("uid: sizes differ", 4, sizes_body);
	run_must_say("PE 2 brought 7 bytes");
}

int main(void)
{
	seed = check_seed();
	test_works();
	test_refused();
	test_dead_while_joining();
	for (int who = 0; who < 4; who++)
		test_dead_peer(who);
	test_closed_peer(0);
	test_closed_peer(2);
	test_abort(1, 0, 9);
	test_abort(5, 0, 42);
	test_abort(5, 3, 43);
	test_abort(3, 1, 0);
	test_abort_stopped();
	run_start("uid: abort from a thread", 3, thread_abort_body);
	run_end(20);
	for (int pe = 0; pe < 3; pe++)
		CHECK_EQ(run_status(pe), 17);
	return 0;
}
