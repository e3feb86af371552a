/* SPDX-License-Identifier: BSD-3-Clause */
/* What needs no other process: the single kind, node ids, wrong arguments. */
#include "check.h"

static void test_single(void)
{
	struct boot *b = NULL;

	unsetenv("PMIX_NAMESPACE");
	CHECK_EQ(boot_open_pmix(&b, 20), -ENOENT);
	for (int cycle = 0; cycle < 3; cycle++) {
		CHECK_EQ(boot_open(&b, 20), 0);
		CHECK(!strcmp(boot_info(b)->kind, "single"));
		CHECK_EQ(boot_info(b)->pe, 0);
		CHECK_EQ(boot_info(b)->n_pes, 1);
		CHECK_EQ(boot_info(b)->local_rank, 0);
		CHECK_EQ(boot_info(b)->n_local, 1);
		CHECK(boot_info(b)->host[0]);
		exchange_rounds(b);
		CHECK_EQ(boot_barrier(b), 0);
		CHECK_EQ(boot_close(b), 0);
	}
}

static void abort_body(int pe, int n)
{
	struct boot *b;

	(void)pe;
	(void)n;
	CHECK_EQ(boot_open_single(&b), 0);
	boot_abort(b, 23, "as asked");
}

static void test_single_abort(void)
{
	run_start("abort of a single PE", 1, abort_body);
	run_end(10);
	CHECK_EQ(run_status(0), 23);
	run_must_say("status 23: as asked");
}

static void test_uid_arguments(void)
{
	unsigned char uid[BOOT_UID_BYTES], zero[BOOT_UID_BYTES] = { 0 };
	struct boot *b;

	CHECK_EQ(boot_uid_make(uid, BOOT_UID_BYTES - 1), -EINVAL);
	CHECK_EQ(boot_uid_make(uid, sizeof(uid)), 0);
	CHECK_EQ(boot_open_uid(&b, -1, 2, uid, 1), -EINVAL);
	CHECK_EQ(boot_open_uid(&b, 2, 2, uid, 1), -EINVAL);
	CHECK_EQ(boot_open_uid(&b, 0, 0, uid, 1), -EINVAL);
	CHECK_EQ(boot_open_uid(&b, 0, 1, uid, -1), -EINVAL);
	CHECK_EQ(boot_open_uid(&b, 0, 1, zero, 1), -EINVAL);
}

static int nothing_gathered(const void *src, void *dst, size_t bytes, void *arg)
{
	(void)src;
	(void)dst;
	(void)bytes;
	(void)arg;
	return 0;
}

/* A bootstrap of many PEs in one process, for its info only. */
static int never(void *arg)
{
	(void)arg;
	return 7;
}

static void test_localize(void)
{
	const struct boot_user u = { nothing_gathered, never, NULL, NULL };
	struct {
		char odd;
		uint64_t id;
	} __attribute__((packed)) table[5];
	const uint64_t ids[5] = { 7, 9, 7, 9, 7 };
	const int ranks[5] = { 0, 0, 1, 1, 2 }, counts[5] = { 3, 2, 3, 2, 3 };
	struct boot *b;

	CHECK(boot_node_id() == boot_node_id());
	CHECK(boot_node_id() != 0);
	for (int i = 0; i < 5; i++)
		table[i].id = ids[i];
	for (int pe = 0; pe < 5; pe++) {
		CHECK_EQ(boot_open_user(&b, pe, 5, &u), 0);
		CHECK_EQ(boot_info(b)->n_local, 0);
		boot_localize(b, &table[0].id, sizeof(table[0]));
		CHECK_EQ(boot_info(b)->local_rank, ranks[pe]);
		CHECK_EQ(boot_info(b)->n_local, counts[pe]);
		CHECK_EQ(boot_close(b), 0);
	}
}

static void test_overflow(void)
{
	const struct boot_user u = { nothing_gathered, never, NULL, NULL };
	struct boot *b;

	CHECK_EQ(boot_open_user(&b, 0, 4, &u), 0);
	CHECK_EQ(boot_allgather(b, NULL, SIZE_MAX / 3, NULL), -EINVAL);
	CHECK_EQ(boot_barrier(b), -EIO);
	CHECK_EQ(boot_close(b), 0);
}

int main(void)
{
	test_single();
	test_single_abort();
	test_uid_arguments();
	test_localize();
	test_overflow();
	return 0;
}
