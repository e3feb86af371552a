# SPDX-License-Identifier: BSD-3-Clause
man_tests = tests/man/contracts.sh tests/man/format.sh tests/man/install.sh \
	tests/man/pages.sh
TESTS += $(man_tests)
EXTRA_DIST += $(man_tests) tests/man/covers.awk
