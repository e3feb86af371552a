#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Static data of an executable that is position-independent, and of one that
# is not, with and without randomised addresses.
. "${SRCDIR:-.}/tests/lib.sh"
for kind in pie nopie; do
	program=$bin/static_$kind
	for n in 1 2 5; do
		run 0 -n $n "$program"
	done
	if setarch -R true 2>/dev/null; then
		run 0 -n 3 setarch -R "$program"
	fi
done
if command -v readelf >/dev/null; then
	readelf -h "$bin/static_pie" | grep -q 'DYN' ||
		fail "static_pie is not PIE"
	readelf -h "$bin/static_nopie" | grep -q 'EXEC' ||
		fail "static_nopie is PIE"
fi
finish
