# SPDX-License-Identifier: BSD-3-Clause
CONDUIT_TESTS = tests/conduits/register tests/conduits/rows \
	tests/conduits/template tests/conduits/ucx_am \
	tests/conduits/ucx_rows
check_PROGRAMS += $(CONDUIT_TESTS)
TESTS += $(CONDUIT_TESTS) tests/conduits/routes.sh
EXTRA_DIST += tests/conduits/routes.sh

tests_conduits_register_LDADD = libshmemi.la
tests_conduits_rows_LDADD = libshmemi.la
tests_conduits_template_LDADD = libtemplate.la libshmemi.la
tests_conduits_ucx_am_LDADD = libshmemi.la
tests_conduits_ucx_rows_LDADD = libshmemi.la
