/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shmemx_init_attr with a unique id that is handed on in shared memory and in a
 * file, between processes that this one forks: it works at 1 to 8 PEs, with
 * late PEs, after a finalize, and shmem_global_exit reaches all.
 */
#include "attr.h"

static struct board {
	shmemx_uniqueid_t id;
	int ready;
} *board;

static char path[] = "/tmp/attr_uid.XXXXXX";

static const shmemx_uniqueid_t *by_memory(int pe)
{
	if (pe == 0) {
		CHECK_EQ(shmemx_get_uniqueid(&board->id), 0);
		__atomic_store_n(&board->ready, 1, __ATOMIC_RELEASE);
	}
	while (!__atomic_load_n(&board->ready, __ATOMIC_ACQUIRE))
		check_sleep_ms(1);
	return &board->id;
}

static const shmemx_uniqueid_t *by_file(int pe)
{
	static shmemx_uniqueid_t id;
	size_t got = 0;

	if (pe == 0) {
		FILE *f = fopen(path, "w");

		CHECK_EQ(shmemx_get_uniqueid(&id), 0);
		CHECK(f && fwrite(&id, sizeof(id), 1, f) == 1);
		if (f)
			fclose(f);
		return &id;
	}
	while (!got) {
		FILE *f = fopen(path, "r");

		got = f ? fread(&id, sizeof(id), 1, f) : 0;
		if (f)
			fclose(f);
		if (!got)
			check_sleep_ms(1);
	}
	return &id;
}

static void open_uid(int pe, int n, const shmemx_uniqueid_t *id)
{
	int provided = -1;
	shmemx_init_attr_t attr = {
		.size_bytes = sizeof(attr),
		.kind = SHMEMX_INIT_UNIQUEID,
		.pe = pe,
		.n_pes = n,
		.uniqueid = id,
	};

	if (shmemx_init_attr(SHMEM_THREAD_MULTIPLE, &provided, &attr))
		exit(70);
	CHECK_EQ(provided, SHMEM_THREAD_MULTIPLE);
}

static void memory_body(int pe, int n)
{
	open_uid(pe, n, by_memory(pe));
	attr_use(pe, n);
	shmem_finalize();
}

static void file_body(int pe, int n)
{
	open_uid(pe, n, by_file(pe));
	attr_use(pe, n);
	/* finalize is implied */
}

static void late_body(int pe, int n)
{
	const shmemx_uniqueid_t *id = by_memory(pe);

	check_sleep_ms(100 * ((n - pe) % 3));
	open_uid(pe, n, id);
	attr_use(pe, n);
	shmem_finalize();
	CHECK_EQ(shmemx_init_attr(0, NULL, NULL) != 0, 1);
}

static void again_body(int pe, int n)
{
	open_uid(pe, n, by_memory(pe));
	attr_use(pe, n);
	shmem_finalize();
	open_uid(pe, n, &board->id);
	attr_use(pe, n);
	shmem_init();
	shmem_finalize();
	attr_use(pe, n);
	shmem_finalize();
}

static void global_exit_body(int pe, int n)
{
	open_uid(pe, n, by_memory(pe));
	attr_use(pe, n);
	if (pe == n - 1) {
		check_sleep_ms(50);
		shmem_global_exit(23);
	}
	shmem_long_wait_until(&attr_variable, SHMEM_CMP_EQ, -1);
}

static void expect(int status, int n, void (*body)(int, int))
{
	board->ready = 0;
	CHECK_EQ(attr_run(n, body), status);
}

int main(void)
{
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	board = attr_shared(sizeof(*board));
	for (int n = 1; n <= 8; n *= 2)
		expect(0, n, memory_body);
	expect(0, 3, late_body);
	expect(0, 3, again_body);
	expect(0, 3, file_body);
	expect(23, 3, global_exit_body);
	unlink(path);
	return check_failures != 0;
}
