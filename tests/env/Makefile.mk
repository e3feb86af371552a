# SPDX-License-Identifier: BSD-3-Clause
ENV_TESTS = tests/env/parse tests/env/log tests/env/info tests/env/man
check_PROGRAMS += $(ENV_TESTS)
TESTS += $(ENV_TESTS)

tests_env_parse_SOURCES = tests/env/parse.c \
	tests/env/capture.c tests/env/capture.h
tests_env_parse_LDADD = libshmemi.la
tests_env_log_SOURCES = tests/env/log.c \
	tests/env/capture.c tests/env/capture.h
tests_env_log_LDADD = libshmemi.la
tests_env_info_SOURCES = tests/env/info.c
tests_env_info_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_env_info_LDADD = libshmemi.la $(JANSSON_LIBS)
tests_env_man_SOURCES = tests/env/man.c
tests_env_man_LDADD = libshmemi.la
