#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs at once do not meet, and a program without a launcher is one PE.
. "${SRCDIR:-.}/tests/lib.sh"
limit=60
pids=
for i in 1 2 3; do
	env "$mark" timeout -k 5 60 "$OSHRUN" -n 2 "$bin/back_to_back" \
		>"$dir/out$i" 2>"$dir/err$i" </dev/null &
	pids="$pids $!"
done
for pid in $pids; do
	wait "$pid" || fail "a job beside others: exit code $?"
done
for test in plain hello fork reduce random_rma zero_length; do
	env "$mark" timeout -k 5 60 "$bin/$test" >"$dir/out" 2>"$dir/err" \
		</dev/null || fail "$test without a launcher: exit code $?"
done
env "$mark" "$bin/ending" x 9 global >"$dir/out" 2>"$dir/err"
[ $? = 9 ] || fail "shmem_global_exit without a launcher"
lines out 1 '^buffered text$'
finish
