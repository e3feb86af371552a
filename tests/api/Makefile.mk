# SPDX-License-Identifier: BSD-3-Clause
# call_*: every routine of the tables is called and what it did is verified;
# coverage.sh proves that none was left out.
api_call_tests = \
	tests/api/call_amo \
	tests/api/call_coll \
	tests/api/call_exit \
	tests/api/call_memory \
	tests/api/call_order \
	tests/api/call_reduce \
	tests/api/call_rma \
	tests/api/call_setup \
	tests/api/call_signal \
	tests/api/call_start_pes \
	tests/api/call_sync \
	tests/api/call_team

check_LTLIBRARIES += tests/api/libapi.la
tests_api_libapi_la_SOURCES = \
	tests/api/api.c tests/api/api.h \
	tests/api/called.c \
	tests/api/groups.c \
	tests/api/routines.c tests/api/rows.h \
	tests/api/types.c tests/api/types.h
nodist_tests_api_libapi_la_SOURCES = tests/api/wrap.c
tests_api_libapi_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/api
api_ldadd = tests/api/libapi.la libsirocco.la

tests/api/wrap.c: src/tools/dump_api$(EXEEXT) tests/api/wrap.awk
	$(AM_V_GEN)$(MKDIR_P) tests/api && src/tools/dump_api$(EXEEXT) | \
		$(AWK) -f $(top_srcdir)/tests/api/wrap.awk >$@.tmp && \
		mv $@.tmp $@
CLEANFILES += tests/api/wrap.c tests/api/*.called.*

tests_api_call_amo_LDADD = $(api_ldadd)
tests_api_call_coll_LDADD = $(api_ldadd)
tests_api_call_exit_LDADD = $(api_ldadd)
tests_api_call_memory_LDADD = $(api_ldadd)
tests_api_call_order_LDADD = $(api_ldadd)
tests_api_call_reduce_LDADD = $(api_ldadd)
tests_api_call_rma_LDADD = $(api_ldadd)
tests_api_call_setup_LDADD = $(api_ldadd)
tests_api_call_signal_LDADD = $(api_ldadd)
tests_api_call_start_pes_LDADD = $(api_ldadd)
tests_api_call_sync_LDADD = $(api_ldadd)
tests_api_call_team_LDADD = $(api_ldadd)

tests/api/coverage.log: $(api_call_tests:=.log)

tests_api_addresses_SOURCES = tests/api/addresses.c
tests_api_profile_SOURCES = tests/api/profile.c

# The generics and overloads are tried on mocks of the routines.
tests_api_generic_SOURCES = tests/api/generic.c tests/api/mock.h \
	tests/api/mock.c tests/api/mock_check.c
nodist_tests_api_generic_SOURCES = tests/api/select.inc
tests_api_generic_CPPFLAGS = $(AM_CPPFLAGS) -Itests/api
tests_api_generic_LDADD =
tests_api_overload_SOURCES = tests/api/overload.cc tests/api/mock.h \
	tests/api/mock.c tests/api/mock_check.c
nodist_tests_api_overload_SOURCES = tests/api/select.inc
tests_api_overload_CPPFLAGS = $(AM_CPPFLAGS) -Itests/api
tests_api_overload_LDADD =

tests/api/select.inc: src/tools/dump_api$(EXEEXT) tests/api/select.awk
	$(AM_V_GEN)$(MKDIR_P) tests/api && src/tools/dump_api$(EXEEXT) | \
		$(AWK) -f $(top_srcdir)/tests/api/select.awk >$@.tmp && \
		mv $@.tmp $@
tests/api/generic-generic.$(OBJEXT) tests/api/overload-overload.$(OBJEXT): tests/api/select.inc
CLEANFILES += tests/api/select.inc

tests_api_exchange_SOURCES = tests/api/exchange.c
tests_api_exchange_cxx_SOURCES = tests/api/exchange_cxx.cc
tests_api_kernel_SOURCES = tests/api/kernel.c
tests_api_module_SOURCES = tests/api/module.c

api_tests = \
	$(api_call_tests) \
	tests/api/addresses \
	tests/api/exchange \
	tests/api/exchange_cxx \
	tests/api/generic \
	tests/api/kernel \
	tests/api/module \
	tests/api/overload \
	tests/api/profile

api_scripts = \
	tests/api/coverage.sh \
	tests/api/device.sh \
	tests/api/headers.sh \
	tests/api/install.sh \
	tests/api/reject.sh \
	tests/api/symbols.sh

check_PROGRAMS += $(api_tests)
TESTS += $(api_tests) $(api_scripts)
EXTRA_DIST += $(api_scripts) tests/api/constants.c tests/api/kernels.inc \
	tests/api/openshmem-1.6.tsv tests/api/select.awk tests/api/wrap.awk
