#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests of the host's API over two hosts, unevenly; TEST_MULTINODE=all:
# over up to four, in several layouts.
. "$SRCDIR/tests/multinode/suite.sh"
hosts_up a b c d
# These are about one node's memory, or as many PEs as it takes.
except='huge many_pes numa'
for program in $(programs host $except); do
	# shellcheck disable=SC2086
	try_best "$program" a:3,b:5 a:1,b:2 a:2,b:2 a:1,b:1 \
		${all:+a:2,b:1,c:3,d:2 a:1,b:1,c:1 b:1}
done
sum
