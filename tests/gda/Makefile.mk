# SPDX-License-Identifier: BSD-3-Clause
# What kernels and NICs tell each other, on this CPU and without a NIC.
GDA_TESTS = tests/gda/atomics tests/gda/format tests/gda/packets \
	tests/gda/poll tests/gda/spot
if VERBS
GDA_TESTS += tests/gda/layout tests/gda/memory tests/gda/nics \
	tests/gda/providers tests/gda/spans
endif
check_PROGRAMS += $(GDA_TESTS)
TESTS += $(GDA_TESTS)

tests_gda_atomics_SOURCES = tests/gda/atomics.c tests/gda/format.h
tests_gda_format_SOURCES = tests/gda/format.c tests/gda/format.h
tests_gda_layout_SOURCES = tests/gda/layout.c tests/gda/format.h
tests_gda_packets_SOURCES = tests/gda/packets.c tests/gda/format.h
tests_gda_poll_SOURCES = tests/gda/poll.c tests/gda/format.h \
	tests/gda/nic_sim.h

# Queues that a thread of the test serves.
RING_TESTS = tests/gda/ring tests/gda/ring_amo tests/gda/ring_error \
	tests/gda/ring_order
check_PROGRAMS += $(RING_TESTS)
TESTS += $(RING_TESTS)
tests_gda_ring_SOURCES = tests/gda/ring.c tests/gda/ring.h
tests_gda_ring_LDADD = libshmemi.la
tests_gda_ring_amo_SOURCES = tests/gda/ring_amo.c tests/gda/ring.h
tests_gda_ring_amo_LDADD = libshmemi.la
tests_gda_ring_error_SOURCES = tests/gda/ring_error.c tests/gda/ring.h
tests_gda_ring_error_LDADD = libshmemi.la
tests_gda_ring_order_SOURCES = tests/gda/ring_order.c tests/gda/ring.h
tests_gda_ring_order_LDADD = libshmemi.la

# Choice and registration, with a libibverbs that makes no queues.
TESTS += tests/gda/list.sh
EXTRA_DIST += tests/gda/list.sh tests/gda/nics.xml
NICS_FAKE = tests/gda/nics_fake.c tests/gda/nics_fake.h \
	tests/gda/fake_verbs.h tests/env/capture.c tests/env/capture.h
tests_gda_memory_SOURCES = tests/gda/memory.c $(NICS_FAKE)
tests_gda_memory_LDADD = libshmemi.la
tests_gda_providers_LDADD = libshmemi.la
tests_gda_nics_SOURCES = tests/gda/nics.c $(NICS_FAKE)
tests_gda_nics_LDADD = libshmemi.la
tests_gda_spans_SOURCES = tests/gda/spans.c $(NICS_FAKE)
tests_gda_spans_LDADD = libshmemi.la
EXTRA_tests_gda_spans_DEPENDENCIES = tests/gda/libfake.la
if VERBS
check_LTLIBRARIES += tests/gda/libfake.la
endif
tests_gda_libfake_la_SOURCES = tests/gda/fake_verbs.c tests/gda/fake_none.c
tests_gda_libfake_la_LIBADD =
tests_gda_libfake_la_LDFLAGS = $(SANITIZE_FLAGS) -avoid-version -module \
	-rpath /nowhere

# NICs that fail, by those of tests/nic.
if VERBS
check_PROGRAMS += tests/gda/errors
TESTS += tests/gda/errors.sh
tests_gda_errors_LDADD = $(MOE_LDADD)
endif
EXTRA_DIST += tests/gda/errors.sh

# What uses NICs: the tests of kernels and MoE, and in which order work starts.
GDA_JOBS = tests/gda/order.sh tests/gda/mlx5.sh tests/gda/bnxt.sh \
	tests/gda/ionic.sh tests/gda/verbs.sh tests/gda/shapes.sh
if VERBS
check_PROGRAMS += tests/gda/first tests/gda/private
TESTS += $(GDA_JOBS)
tests_gda_first_LDADD = $(MOE_LDADD)
tests_gda_private_LDADD = $(DEVICE_LDADD)
endif
EXTRA_DIST += $(GDA_JOBS) tests/gda/lib.sh

# The formats as the software NIC understands them.
if VERBS
check_PROGRAMS += tests/gda/wire
TESTS += tests/gda/wire
tests_gda_wire_SOURCES = tests/gda/wire.c tests/nic/strict.c \
	tests/nic/strict.h tests/nic/strict_bnxt_queue.c \
	tests/nic/strict_ionic_queue.c tests/nic/strict_mlx5_queue.c
tests_gda_wire_LDADD = libsirocco.la -ldl -lpthread
EXTRA_tests_gda_wire_DEPENDENCIES = tests/nic/libnic.la
endif
