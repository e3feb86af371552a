#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs side by side do not disturb each other.
. "${SRCDIR:-.}/tests/lib.sh"
pids=
for i in 1 2 3 4; do
	oshrun_bg -n 4 "$CLIENT" keys >"$dir/out.$i" 2>&1 </dev/null &
	pids="$pids $!"
done
oshrun_bg -n 2 "$CLIENT" abort 3 >/dev/null 2>&1 </dev/null &
aborted=$!
for pid in $pids; do
	wait "$pid" || fail "a job failed: $?"
done
wait $aborted
[ $? = 3 ] || fail "expected 3 from the job that aborts"
for i in 1 2 3 4; do
	[ "$(grep -c JOB_SIZE=4 "$dir/out.$i")" = 4 ] || fail "job $i"
done
finish
