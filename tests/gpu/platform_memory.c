/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the cpu platform, copies, and what another process maps. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform.h"

#define BYTES ((size_t)3 << 20)
#define ALIGN ((size_t)2 << 20)

static int is_filled(const char *p, char byte, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (p[i] != byte)
			return 0;
	return 1;
}

static void test_memory(void)
{
	char *p, *q, *host;
	char blob[SHMEMG_BLOB_BYTES];
	size_t offset;
	int fd;

	CHECK(!shmemg->mem_alloc(BYTES, (void **)&p));
	CHECK(!shmemg->mem_alloc(1, (void **)&q));
	CHECK(!shmemg->host_alloc(BYTES, (void **)&host));
	CHECK((uintptr_t)p % ALIGN == 0 && (uintptr_t)q % ALIGN == 0);
	CHECK(is_filled(p, 0, BYTES) && is_filled(host, 0, BYTES));
	CHECK(!shmemg->host_register(host, BYTES));
	CHECK(!shmemg->host_unregister(host));
	CHECK(!shmemg->is_device(p) && !shmemg->is_device(host));
	CHECK(shmemg->mem_dmabuf(p, BYTES, &fd, &offset) == -EOPNOTSUPP);
	CHECK(!shmemg->fill(host, 3, BYTES));
	CHECK(!shmemg->copy(p, host, BYTES / 2));
	CHECK(!shmemg->copy(NULL, NULL, 0));
	CHECK(is_filled(p, 3, BYTES / 2));
	CHECK(is_filled(p + BYTES / 2, 0, BYTES / 2));
	CHECK(shmemg->mem_free(p + 1) == -EINVAL);
	CHECK(shmemg->mem_export(p, BYTES + 1, blob) == -EINVAL);
	CHECK(shmemg->mem_export(host, 1, blob) == -EINVAL);
	CHECK(!shmemg->host_free(host));
	CHECK(!shmemg->mem_free(p));
	CHECK(!shmemg->mem_free(q));
	CHECK(shmemg->mem_free(q) == -EINVAL);
}

/* Answers 5 in the first page and 6 in the third by 7 in all. */
static void child_main(int from)
{
	const size_t page = (size_t)getpagesize();
	char blob[2][SHMEMG_BLOB_BYTES];
	char *all, *third;

	CHECK(read(from, blob, sizeof(blob)) == sizeof(blob));
	CHECK(!shmemg->mem_import(blob[0], BYTES, (void **)&all));
	CHECK(!shmemg->mem_import(blob[1], page, (void **)&third));
	CHECK(is_filled(all, 5, page) && is_filled(third, 6, page));
	CHECK(is_filled(all + 2 * page, 6, page));
	CHECK(!shmemg->fill(all, 7, BYTES));
	CHECK(is_filled(third, 7, page));
	CHECK(!shmemg->mem_forget(third, page));
	CHECK(!shmemg->mem_forget(all, BYTES));
	memset(blob[0], 0x7f, sizeof(blob[0]));
	CHECK(shmemg->mem_import(blob[0], BYTES, (void **)&all) < 0);
}

static void test_peer(void)
{
	const size_t page = (size_t)getpagesize();
	char blob[2][SHMEMG_BLOB_BYTES];
	int ends[2], status;
	pid_t child;
	char *p;

	CHECK(!pipe(ends));
	child = fork();
	CHECK(child >= 0);
	if (!child) {
		child_main(ends[0]);
		exit(0);
	}
	CHECK(!shmemg->mem_alloc(BYTES, (void **)&p));
	CHECK(!shmemg->fill(p, 5, page));
	CHECK(!shmemg->fill(p + 2 * page, 6, page));
	CHECK(!shmemg->mem_export(p, BYTES, blob[0]));
	CHECK(!shmemg->mem_export(p + 2 * page, page, blob[1]));
	CHECK(write(ends[1], blob, sizeof(blob)) == sizeof(blob));
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
	CHECK(is_filled(p, 7, BYTES));
	CHECK(!shmemg->mem_free(p));
}

static void test_choice(void)
{
	CHECK(shmemg_open("nothing", -1, 0) == -ENODEV);
	CHECK(shmemg_open("cpu", 1, 0) == -ENODEV);
	CHECK(shmemg_open("cpu", -2, 0) == -ENODEV);
	CHECK(!shmemg);
	CHECK(!shmemg_open("auto", -1, 5));
	CHECK(shmemg);
	shmemg_close();
}

int main(void)
{
	test_choice();
	platform_open();
	test_memory();
	test_peer();
	shmemg_close();
	return 0;
}
