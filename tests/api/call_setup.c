/* SPDX-License-Identifier: BSD-3-Clause */
/* Start, end, queries, and routines without effect. PES: all */
#include <string.h>
#include "api.h"

static void test_query(void)
{
	static long data;
	char name[SHMEM_MAX_NAME_LEN];
	int major = -1, minor = -1, here = api_me;
	long *heap = shmem_malloc(sizeof(*heap));

	CHECK("_my_pe", _my_pe() == shmem_my_pe());
	CHECK("_num_pes", _num_pes() == shmem_n_pes());
	shmem_info_get_version(&major, &minor);
	CHECK("shmem_info_get_version", major == SHMEM_MAJOR_VERSION);
	CHECK("shmem_info_get_version", minor == SHMEM_MINOR_VERSION);
	memset(name, 'x', sizeof(name));
	shmem_info_get_name(name);
	CHECK("shmem_info_get_name", !strcmp(name, SHMEM_VENDOR_STRING));
	CHECK("shmem_info_get_name",
	      !strcmp(name, "Sirocco " PACKAGE_VERSION));
	for (int pe = 0; pe < api_n; pe++) {
		CHECK("shmem_pe_accessible", shmem_pe_accessible(pe) == 1);
		CHECK("shmem_addr_accessible",
		      shmem_addr_accessible(heap, pe) == 1);
		CHECK("shmem_addr_accessible",
		      shmem_addr_accessible(&data, pe) == 1);
		CHECK("shmem_addr_accessible",
		      !shmem_addr_accessible(&here, pe));
	}
	CHECK("shmem_pe_accessible", !shmem_pe_accessible(api_n));
	CHECK("shmem_pe_accessible", !shmem_pe_accessible(-1));
	shmem_free(heap);
}

static void test_ptr(void)
{
	long *heap = shmem_malloc(sizeof(*heap));
	const int right = (api_me + 1) % api_n,
		  left = (api_me + api_n - 1) % api_n;
	long *there = shmem_ptr(heap, right), local;

	*heap = -1;
	shmem_barrier_all();
	CHECK("shmem_ptr", shmem_ptr(heap, api_me) == heap);
	CHECK("shmem_ptr", !shmem_ptr(&local, right) || right == api_me);
	CHECK("shmem_team_ptr",
	      shmem_team_ptr(SHMEM_TEAM_WORLD, heap, right) == there);
	CHECK("shmem_team_ptr",
	      !shmem_team_ptr(SHMEM_TEAM_INVALID, heap, right));
	if (there)
		*there = api_me;
	else
		shmem_long_p(heap, api_me, right);
	shmem_barrier_all();
	CHECK("shmem_ptr", *heap == left);
	shmem_free(heap);
}

/* They must be there and do no harm. */
static void test_no_effect(void)
{
	static long word = 7;

	shmem_pcontrol(0);
	shmem_pcontrol(1);
	shmem_pcontrol(2, "a phase", 3.5, &word);
	shmem_set_cache_inv();
	shmem_set_cache_line_inv(&word);
	shmem_udcflush();
	shmem_udcflush_line(&word);
	shmem_clear_cache_line_inv(&word);
	shmem_clear_cache_inv();
	CHECK("shmem_udcflush", word == 7);
}

static int initialized(void)
{
	int answer = -1;

	shmem_query_initialized(&answer);
	return answer;
}

/* Calls of init nest, and the library starts again after the last end. */
static void test_again(void)
{
	int provided = -1, level = -1;

	CHECK("shmem_init_thread",
	      shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0);
	CHECK("shmem_init_thread", provided >= SHMEM_THREAD_SINGLE &&
					   provided <= SHMEM_THREAD_MULTIPLE);
	shmem_query_thread(&level);
	CHECK("shmem_query_thread", level == provided);
	shmem_finalize();
	CHECK("shmem_finalize", initialized() == 1);
	shmem_barrier_all();
}

int main(void)
{
	int status;

	CHECK("shmem_query_initialized", initialized() == 0);
	api_begin();
	CHECK("shmem_query_initialized", initialized() == 1);
	test_query();
	test_ptr();
	test_no_effect();
	test_again();
	status = api_end();
	if (initialized() != 0)
		return 1;
	api_begin();
	test_ptr();
	return api_end() | status;
}
