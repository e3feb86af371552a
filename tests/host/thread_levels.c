/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every thread level is provided, in rising order of the constants, and
 * query_thread agrees; a level that does not exist is an error. The name and
 * version fit.
 * PES: 1 2
 */
#include "check.h"

int main(void)
{
	char name[SHMEM_MAX_NAME_LEN + 8];
	int provided, level, major = 0, minor = -1;

	CHECK(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED);
	CHECK(SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED);
	CHECK(SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE);
	for (int want = SHMEM_THREAD_SINGLE; want <= SHMEM_THREAD_MULTIPLE;
	     want++) {
		provided = level = -1;
		CHECK_EQ(shmem_init_thread(want, &provided), 0);
		CHECK(provided >= want && provided <= SHMEM_THREAD_MULTIPLE);
		shmem_query_thread(&level);
		CHECK_EQ(level, provided);
		shmem_finalize();
	}
	CHECK(shmem_init_thread(17, &provided));
	CHECK(shmem_init_thread(-1, &provided));
	memset(name, '#', sizeof(name));
	shmem_info_get_name(name);
	CHECK(memchr(name, '\0', SHMEM_MAX_NAME_LEN) != NULL);
	CHECK(!strcmp(name, SHMEM_VENDOR_STRING));
	CHECK_EQ(name[SHMEM_MAX_NAME_LEN], '#');
	shmem_info_get_version(&major, &minor);
	CHECK_EQ(major, SHMEM_MAJOR_VERSION);
	CHECK_EQ(minor, SHMEM_MINOR_VERSION);
	shmem_pcontrol(0);
	shmem_pcontrol(1, "anything", 3.5);
	return check_failures != 0;
}
