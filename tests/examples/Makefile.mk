# SPDX-License-Identifier: BSD-3-Clause
# The layer again, but with a put_signal that spoils a row: it must notice.
check_PROGRAMS += tests/examples/moe_spoiled
tests_examples_moe_spoiled_SOURCES = tests/examples/spoil.c $(moe_sources)
tests_examples_moe_spoiled_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_examples_moe_spoiled_LDADD = libsirocco.la $(JANSSON_LIBS) -lm

check_PROGRAMS += tests/examples/layer_spoiled
tests_examples_layer_spoiled_SOURCES = tests/examples/layer_spoil.c \
	$(moe_layer_kernels)
tests_examples_layer_spoiled_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_examples_layer_spoiled_LDADD = examples/libmoe_layer.la libsirocco.la \
	$(JANSSON_LIBS) -lm -ldl

example_tests = \
	tests/examples/gpu.sh \
	tests/examples/layer.sh \
	tests/examples/layer_default.sh \
	tests/examples/layer_options.sh \
	tests/examples/layer_spoiled.sh \
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
