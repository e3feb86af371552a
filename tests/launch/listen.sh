#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The server listens on the loopback interface only.
. "${SRCDIR:-.}/tests/lib.sh"
command -v ss >/dev/null || skip "ss(8) is not installed"
run 0 -n 1 sh -c 'ss -tlnpH | grep "pid=$PPID,"'
lines out 0 '0\.0\.0\.0:[0-9]+ +0\.0\.0\.0|\*:[0-9]+ +\*|\[::\]:[0-9]'
n=$(wc -l <"$dir/out")
[ "$n" = "$(grep -c -E '127\.0\.0\.[0-9]+:|\[::1\]:' "$dir/out")" ] ||
	fail "listens elsewhere"
finish
