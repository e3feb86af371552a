# SPDX-License-Identifier: BSD-3-Clause
BOOT_CHECK = tests/boot/check.c tests/boot/check.h

BOOT_TESTS = tests/boot/local tests/boot/user tests/boot/uid \
	tests/boot/uid_fails
check_PROGRAMS += $(BOOT_TESTS) tests/boot/pmix_client tests/boot/pmix_hang
TESTS += $(BOOT_TESTS) tests/boot/pmix.sh tests/boot/pmix_lost.sh
EXTRA_DIST += tests/boot/pmix.sh tests/boot/pmix_lost.sh \
	tests/boot/libpmix.supp

tests_boot_local_SOURCES = tests/boot/local.c $(BOOT_CHECK)
tests_boot_local_LDADD = libshmemi.la
tests_boot_user_SOURCES = tests/boot/user.c $(BOOT_CHECK)
tests_boot_user_LDADD = libshmemi.la
tests_boot_uid_SOURCES = tests/boot/uid.c $(BOOT_CHECK)
tests_boot_uid_LDADD = libshmemi.la
tests_boot_uid_fails_SOURCES = tests/boot/uid_fails.c $(BOOT_CHECK)
tests_boot_uid_fails_LDADD = libshmemi.la
tests_boot_pmix_client_SOURCES = tests/boot/pmix_client.c $(BOOT_CHECK)
tests_boot_pmix_client_LDADD = libshmemi.la
tests_boot_pmix_hang_SOURCES = tests/boot/pmix_hang.c $(BOOT_CHECK)
tests_boot_pmix_hang_CFLAGS = $(AM_CFLAGS) $(PMIX_CFLAGS)
tests_boot_pmix_hang_LDADD = libshmemi.la
