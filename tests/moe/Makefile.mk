# SPDX-License-Identifier: BSD-3-Clause
# Programs of the host alone, the same on every platform: as STREAM_TESTS.
MOE_TESTS = \
	tests/moe/again \
	tests/moe/align \
	tests/moe/backward \
	tests/moe/cached \
	tests/moe/capacity \
	tests/moe/combine \
	tests/moe/dispatch \
	tests/moe/edges \
	tests/moe/far \
	tests/moe/fuzz \
	tests/moe/graph \
	tests/moe/halves \
	tests/moe/invalid \
	tests/moe/large \
	tests/moe/repeat \
	tests/moe/stats \
	tests/moe/streams \
	tests/moe/teams \
	tests/moe/turns
STREAM_TESTS += $(MOE_TESTS)

check_LTLIBRARIES += tests/moe/libmoe.la
tests_moe_libmoe_la_SOURCES = \
	tests/moe/exchange.c \
	tests/moe/number.c tests/moe/number.h \
	tests/moe/oracle.c tests/moe/oracle.h tests/moe/oracle_rows.c \
	tests/moe/unit.c tests/moe/unit.h
MOE_LDADD = tests/moe/libmoe.la $(DEVICE_LDADD) -lm
tests_moe_again_LDADD = $(MOE_LDADD)
tests_moe_align_LDADD = $(MOE_LDADD)
tests_moe_backward_LDADD = $(MOE_LDADD)
tests_moe_cached_LDADD = $(MOE_LDADD)
tests_moe_capacity_LDADD = $(MOE_LDADD)
tests_moe_combine_LDADD = $(MOE_LDADD)
tests_moe_dispatch_LDADD = $(MOE_LDADD)
tests_moe_edges_LDADD = $(MOE_LDADD)
tests_moe_far_LDADD = $(MOE_LDADD)
tests_moe_fuzz_LDADD = $(MOE_LDADD)
tests_moe_graph_LDADD = $(MOE_LDADD)
tests_moe_halves_LDADD = $(MOE_LDADD)
tests_moe_invalid_LDADD = $(MOE_LDADD)
tests_moe_large_LDADD = $(MOE_LDADD)
tests_moe_repeat_LDADD = $(MOE_LDADD)
tests_moe_stats_LDADD = $(MOE_LDADD)
tests_moe_streams_LDADD = $(MOE_LDADD)
tests_moe_teams_LDADD = $(MOE_LDADD)
tests_moe_turns_LDADD = $(MOE_LDADD)

# Jobs of misuse.sh.
DEVICE_JOBS += tests/moe/misuse
DEVICE_SH += tests/moe/misuse.sh tests/moe/nodes.sh
tests_moe_misuse_LDADD = $(MOE_LDADD)

# What rows are made of, in kernels: as DEVICE_TESTS.
DEVICE_TESTS += tests/moe/float tests/moe/row
TESTS += tests/moe/row_waves.sh
EXTRA_DIST += tests/moe/row_waves.sh
tests_moe_float_LDADD = $(MOE_LDADD)
tests_moe_row_LDADD = $(MOE_LDADD)
tests/moe/float.gpu tests/moe/row.gpu: tests/moe/libmoe.la
tests/moe/float.gpu tests/moe/row.gpu: GPU_LIBS = tests/moe/libmoe.la -lm @GPU_LIBS@
