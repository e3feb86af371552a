/* SPDX-License-Identifier: BSD-3-Clause */
/* The uid kind: each failure, and an abort, reaches every PE at once. */
#include "check.h"

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

/* A PE that has joined dies while PE 0 still waits for another one. */
static void test_dead_while_joining(void)
{
	run_start("uid: PE dies while joining", 4, join_victim_body);
	/* By then PE 2 has said hello; PE 3 never does. */
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
