# SPDX-License-Identifier: BSD-3-Clause
HOST_TESTS = \
	tests/host/active_set_threads \
	tests/host/alltoall_strides \
	tests/host/alltoallv \
	tests/host/alltoallv_2d \
	tests/host/alltoallv_2d_device \
	tests/host/alltoallv_device \
	tests/host/amo_contended \
	tests/host/any_is_fair \
	tests/host/attr_functions \
	tests/host/attr_uid \
	tests/host/attr_wrong \
	tests/host/back_to_back \
	tests/host/broadcast_root \
	tests/host/buffer \
	tests/host/collect_counts \
	tests/host/ctx \
	tests/host/exit_early \
	tests/host/far_coll \
	tests/host/fence_order \
	tests/host/fork \
	tests/host/fork_exit \
	tests/host/fork_handlers \
	tests/host/fork_sparse \
	tests/host/fork_threads \
	tests/host/generic_types \
	tests/host/handles \
	tests/host/heap_exhaustion \
	tests/host/hello \
	tests/host/huge \
	tests/host/init_again \
	tests/host/legal_edges \
	tests/host/litmus \
	tests/host/lock \
	tests/host/lock_threads \
	tests/host/malloc_forms \
	tests/host/malloc_zero \
	tests/host/many_pes \
	tests/host/nbi \
	tests/host/numa \
	tests/host/old_start \
	tests/host/p_then_g \
	tests/host/progress \
	tests/host/ptr \
	tests/host/random_coll \
	tests/host/random_rma \
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
	tests/host/thread_levels \
	tests/host/threads \
	tests/host/threads_wait \
	tests/host/two_heaps \
	tests/host/two_heaps_far \
	tests/host/wait_compare \
	tests/host/wait_sets \
	tests/host/wait_stores \
	tests/host/wide_types \
	tests/host/zero_length

# PEs that only the conduit of other nodes reaches.
if UCX
HOST_TESTS += \
	tests/host/far_device \
	tests/host/team_ctx_left
endif

# Run by the scripts.
HOST_JOBS = \
	tests/host/alltoallv_wrong \
	tests/host/dlopened \
	tests/host/ending \
	tests/host/hang \
	tests/host/misuse \
	tests/host/misuse_coll \
	tests/host/plain \
	tests/host/plain_other \
	tests/host/static_nopie \
	tests/host/static_pie

HOST_SH = \
	tests/host/alltoallv_wrong.sh \
	tests/host/checked.sh \
	tests/host/coll_nodes.sh \
	tests/host/dlopened.sh \
	tests/host/env_errors.sh \
	tests/host/executables.sh \
	tests/host/exits.sh \
	tests/host/global_exit.sh \
	tests/host/heap_sizes.sh \
	tests/host/jobs.sh \
	tests/host/kill.sh \
	tests/host/large_model.sh \
	tests/host/limits.sh \
	tests/host/lld.sh \
	tests/host/misuse.sh \
	tests/host/misuse_coll.sh \
	tests/host/mpirun.sh \
	tests/host/node_size.sh \
	tests/host/platforms.sh \
	tests/host/static_data.sh

check_PROGRAMS += $(HOST_TESTS) $(HOST_JOBS)
TESTS += $(HOST_TESTS) $(HOST_SH)
EXTRA_DIST += tests/host/attr.h tests/host/check.h $(HOST_SH)
EXTRA_DIST += tests/host/data_kinds.c

# -rpath makes it a shared library although it is not installed.
check_LTLIBRARIES += tests/host/libdso.la
tests_host_libdso_la_SOURCES = tests/host/dso.c tests/host/dso.h
tests_host_libdso_la_LIBADD =
tests_host_libdso_la_LDFLAGS = $(SANITIZE_FLAGS) -avoid-version -rpath /nowhere

tests_host_static_pie_SOURCES = tests/host/static_data.c
tests_host_static_pie_CFLAGS = $(AM_CFLAGS) -fPIE
tests_host_static_pie_LDFLAGS = $(AM_LDFLAGS) -pie
tests_host_static_pie_LDADD = tests/host/libdso.la $(LDADD)
tests_host_static_nopie_SOURCES = tests/host/static_data.c
tests_host_static_nopie_CFLAGS = $(AM_CFLAGS) -fno-pie
tests_host_static_nopie_LDFLAGS = $(AM_LDFLAGS) -no-pie
tests_host_static_nopie_LDADD = tests/host/libdso.la $(LDADD)

# A second executable that differs from the first.
tests_host_plain_other_SOURCES = tests/host/plain.c
tests_host_plain_other_CPPFLAGS = $(AM_CPPFLAGS) -DPLAIN_OTHER

# Finds the library by dlopen(3) only.
tests_host_dlopened_LDADD = -ldl
