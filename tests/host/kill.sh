#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SIGKILL of one PE while the others are in some call, of PEs at any time of
# their start, and of the launcher: all end soon, and nothing stays behind.
. "${SRCDIR:-.}/tests/lib.sh"
limit=20
for state in barrier wait signal lock compute finalize reduce sleep; do
	run 137 -n 4 "$bin/ending" $state 0 kill
	lines err 1 'PE 1 .*signal 9'
	wait_for nothing_left
done

# One is killed soon after the start: in the middle of init, mostly.
for ms in 1 5 10 20 40 80; do
	env "$mark" "$OSHRUN" -n 3 sh -c '
		[ $PMIX_RANK = 2 ] && { (sleep 0.0'"$(printf %02d $ms)"'
			kill -9 $$) & }
		exec "$0" sleep 0 sleep' "$bin/ending" >"$dir/out" \
		2>"$dir/err" </dev/null &
	pid=$!
	tries=0
	while kill -0 $pid 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || fail "$ms ms: the job did not end"
		sleep 0.05
	done
	wait $pid && fail "$ms ms: exit code 0"
	wait_for nothing_left
done

env "$mark" "$OSHRUN" -n 3 "$bin/hang" barrier >"$dir/out" 2>"$dir/err" \
	</dev/null &
pid=$!
wait_for grep -q 'PE 2 waits' "$dir/out"
kill -9 $pid
wait $pid
wait_for nothing_left
finish
