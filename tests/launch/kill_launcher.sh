#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kill -9 of oshrun: the PEs, their children and the directory go as well.
. "${SRCDIR:-.}/tests/lib.sh"
oshrun_bg -n 4 sh -c 'sleep 60 & setsid sleep 60 & touch "$0.$PMIX_RANK"; wait' "$dir/up" \
	>"$dir/out" 2>"$dir/err" &
pid=$!
for i in 0 1 2 3; do
	wait_for test -e "$dir/up.$i"
done
no_file && fail "expected a session directory"
kill -9 $pid
wait $pid
[ $? = 137 ] || fail "oshrun was not killed"
finish
