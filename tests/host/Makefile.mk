# SPDX-License-Identifier: BSD-3-Clause
HOST_TESTS = \
	tests/host/alltoall_strides \
	tests/host/amo_contended \
	tests/host/any_is_fair \
	tests/host/back_to_back \
	tests/host/broadcast_root \
	tests/host/collect_counts \
	tests/host/ctx \
	tests/host/fence_order \
	tests/host/heap_exhaustion \
	tests/host/hello \
	tests/host/litmus \
	tests/host/malloc_forms \
	tests/host/malloc_zero \
	tests/host/nbi \
	tests/host/p_then_g \
	tests/host/progress \
	tests/host/realloc \
	tests/host/reduce \
	tests/host/reduce_active_set \
	tests/host/reduce_exact \
	tests/host/scan \
	tests/host/signal \
	tests/host/team_2d \
	tests/host/team_query \
	tests/host/team_reuse \
	tests/host/team_strided \
	tests/host/wait_compare \
	tests/host/wait_sets \
	tests/host/wait_stores \
	tests/host/zero_length
check_PROGRAMS += $(HOST_TESTS)

# Run by the scripts.
check_PROGRAMS += tests/host/static_nopie tests/host/static_pie

HOST_SCRIPTS = \
	tests/host/static_data.sh

TESTS += $(HOST_TESTS) $(HOST_SCRIPTS)
EXTRA_DIST += tests/host/check.h tests/host/lib.sh $(HOST_SCRIPTS)

# -rpath makes it a shared library although it is not installed.
check_LTLIBRARIES += tests/host/libdso.la
tests_host_libdso_la_SOURCES = tests/host/dso.c tests/host/dso.h
tests_host_libdso_la_LIBADD =
tests_host_libdso_la_LDFLAGS = $(SANITIZE_FLAGS) -module -avoid-version \
	-rpath /nowhere

tests_host_static_pie_SOURCES = tests/host/static_data.c
tests_host_static_pie_CFLAGS = $(AM_CFLAGS) -fPIE
tests_host_static_pie_LDFLAGS = $(AM_LDFLAGS) -pie
tests_host_static_pie_LDADD = tests/host/libdso.la $(LDADD)
tests_host_static_nopie_SOURCES = tests/host/static_data.c
tests_host_static_nopie_CFLAGS = $(AM_CFLAGS) -fno-pie
tests_host_static_nopie_LDFLAGS = $(AM_LDFLAGS) -no-pie
tests_host_static_nopie_LDADD = tests/host/libdso.la $(LDADD)
