# SPDX-License-Identifier: BSD-3-Clause
# Each program and script is a test; tests/run starts programs, with as many
# PEs as their source asks for, and reports in TAP.
LDADD = libsirocco.la

LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/run
TEST_EXTENSIONS = .sh
# The CPU platform, also where there is a GPU: tests/gpu/run is for that.
# Signals as a shell gives them, whatever started make; an end for what hangs.
SH_LOG_COMPILER = env --default-signal timeout -k 5 600 $(SHELL)
AM_TESTS_ENVIRONMENT = \
	export PATH='$(abs_top_builddir)/src/launch':"$$PATH"; \
	export OSHRUN='$(abs_top_builddir)/src/launch/oshrun'; \
	export SHMEM_PLATFORM="$${SHMEM_PLATFORM-cpu}"; \
	export SRCDIR='$(abs_top_srcdir)' BUILDDIR='$(abs_top_builddir)'; \
	export LSAN_OPTIONS='suppressions=$(abs_top_srcdir)/tests/boot/libpmix.supp:print_suppressions=0'; \
	export TSAN_OPTIONS='suppressions=$(abs_top_srcdir)/tests/conduits/ucx.supp'; \
	export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1; \
	export CC='$(CC)' CXX='$(CXX)' CFLAGS='$(CFLAGS) $(SANITIZE_FLAGS)';
# With a GPU as well, as these are the CPU's; tests/gpu/run has the others.
if GPU
AM_TESTS_ENVIRONMENT += export SHMEM_PLATFORM=cpu;
endif
EXTRA_DIST += tests/run tests/count build-aux/tap-driver.sh

include tests/alloc/Makefile.mk
include tests/api/Makefile.mk
include tests/asm/Makefile.mk
include tests/boot/Makefile.mk
include tests/conduits/Makefile.mk
include tests/env/Makefile.mk
include tests/examples/Makefile.mk
include tests/gda/Makefile.mk
include tests/gpu/Makefile.mk
include tests/host/Makefile.mk
include tests/launch/Makefile.mk
include tests/man/Makefile.mk
include tests/moe/Makefile.mk
include tests/multinode/Makefile.mk
include tests/nic/Makefile.mk
include tests/rxe/Makefile.mk

# The last thing that a check which passed prints.
check-local: check-TESTS
	@$(SHELL) $(top_srcdir)/tests/count $(TEST_LOGS)

# Of tests, too, that one of those that were asked for depends on.
CLEANFILES += tests/*/*.log tests/*/*.trs

list-tests:
	@echo $(TESTS)
.PHONY: list-tests
