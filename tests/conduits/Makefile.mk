# SPDX-License-Identifier: BSD-3-Clause
CONDUIT_TESTS = tests/conduits/register tests/conduits/rows \
	tests/conduits/template tests/conduits/ucx_am \
	tests/conduits/ucx_faults tests/conduits/ucx_rows
check_PROGRAMS += $(CONDUIT_TESTS)
TESTS += $(CONDUIT_TESTS) tests/conduits/routes.sh
EXTRA_DIST += tests/conduits/routes.sh tests/conduits/ucx.supp

UCX_PAIR = tests/conduits/ucx_pair.c tests/conduits/ucx_pair.h

tests_conduits_register_LDADD = libshmemi.la
tests_conduits_rows_LDADD = libshmemi.la
tests_conduits_template_LDADD = libtemplate.la libshmemi.la
tests_conduits_ucx_am_LDADD = libshmemi.la
tests_conduits_ucx_am_SOURCES = tests/conduits/ucx_am.c $(UCX_PAIR)
tests_conduits_ucx_faults_LDADD = libshmemi.la
tests_conduits_ucx_faults_SOURCES = tests/conduits/ucx_faults.c $(UCX_PAIR)
tests_conduits_ucx_rows_LDADD = libshmemi.la
tests_conduits_ucx_rows_SOURCES = tests/conduits/ucx_rows.c $(UCX_PAIR)
