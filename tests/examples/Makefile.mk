# SPDX-License-Identifier: BSD-3-Clause
# The layer again, but with a put_signal that spoils a row: it must notice.
check_PROGRAMS += tests/examples/moe_spoiled
tests_examples_moe_spoiled_SOURCES = tests/examples/spoil.c $(moe_sources)
tests_examples_moe_spoiled_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_examples_moe_spoiled_LDADD = libsirocco.la $(JANSSON_LIBS) -lm

example_tests = \
	tests/examples/gpu.sh \
	tests/examples/moe.sh \
	tests/examples/moe_default.sh \
	tests/examples/moe_errors.sh \
	tests/examples/moe_options.sh \
	tests/examples/moe_spoiled.sh \
	tests/examples/small.sh

TESTS += $(example_tests)
EXTRA_DIST += $(example_tests) \
	tests/examples/installed.sh

# `make installcheck`: the examples as a user builds and starts them.
installcheck-local:
	PREFIX='$(DESTDIR)$(prefix)' BIN='$(DESTDIR)$(bindir)' \
	EXAMPLES='$(DESTDIR)$(examplesdir)' SRCDIR='$(abs_top_srcdir)' \
	CFLAGS='$(SANITIZE_FLAGS)' \
	$(SHELL) $(top_srcdir)/tests/examples/installed.sh
