#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Without its guardian oshrun still cleans up.
. "${SRCDIR:-.}/tests/lib.sh"
guardian() {
	pgrep -P "$pid" -x oshrun-guard
}
oshrun_bg -n 2 sh -c 'touch "$0.$PMIX_RANK"; until [ -e "$0.go" ]; do
	sleep 0.02; done; sleep 50 & exit 3' "$dir/up" \
	>"$dir/out" 2>"$dir/err" &
pid=$!
wait_for test -e "$dir/up.0"
kill -9 "$(guardian)" || fail "found no guardian"
touch "$dir/up.go"
wait $pid
[ $? = 3 ] || fail "expected exit code 3"
one_line 'exited with status 3'
finish
