# SPDX-License-Identifier: BSD-3-Clause
ALLOC_CHECK = tests/alloc/check.c tests/alloc/check.h
ALLOC_ORACLE = $(ALLOC_CHECK) tests/alloc/oracle.c tests/alloc/oracle.h

ALLOC_TESTS = tests/alloc/unit tests/alloc/random tests/alloc/fuzz \
	tests/alloc/fragmentation
check_PROGRAMS += $(ALLOC_TESTS)
TESTS += $(ALLOC_TESTS)

tests_alloc_unit_SOURCES = tests/alloc/unit.c $(ALLOC_CHECK)
tests_alloc_random_SOURCES = tests/alloc/random.c $(ALLOC_ORACLE)
tests_alloc_fuzz_SOURCES = tests/alloc/fuzz.c $(ALLOC_ORACLE)
tests_alloc_fragmentation_SOURCES = tests/alloc/fragmentation.c $(ALLOC_CHECK)
