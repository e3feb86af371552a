# SPDX-License-Identifier: BSD-3-Clause
# Jobs over several nodes, which are network namespaces: needs root.
MULTINODE_JOBS = \
	tests/multinode/alltoall \
	tests/multinode/atomics \
	tests/multinode/busy

check_PROGRAMS += $(MULTINODE_JOBS) tests/multinode/wire
tests_multinode_wire_LDADD =

# -rpath makes it a shared library although it is not installed.
check_LTLIBRARIES += tests/multinode/libother.la
tests_multinode_libother_la_SOURCES = tests/multinode/other.c
tests_multinode_libother_la_CPPFLAGS = $(AM_CPPFLAGS) $(PMIX_CFLAGS)
tests_multinode_libother_la_LIBADD = -ldl
tests_multinode_libother_la_LDFLAGS = $(SANITIZE_FLAGS) -avoid-version -rpath /nowhere

MULTINODE_SH = \
	tests/multinode/alltoall.sh \
	tests/multinode/atomics.sh \
	tests/multinode/bad.sh \
	tests/multinode/device.sh \
	tests/multinode/down.sh \
	tests/multinode/faults.sh \
	tests/multinode/host.sh \
	tests/multinode/launch.sh

TESTS += $(MULTINODE_SH)
EXTRA_DIST += $(MULTINODE_SH) \
	tests/multinode/break.sh \
	tests/multinode/net.sh \
	tests/multinode/net_down.sh \
	tests/multinode/spread.sh \
	tests/multinode/suite.sh
