#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Signals reach the PEs and their children; a second INT kills hard.
. "${SRCDIR:-.}/tests/lib.sh"
start() {
	rm -f "$dir"/up.*
	oshrun_bg -n 2 sh -c "$1" "$dir/up" >"$dir/out" 2>"$dir/err" &
	pid=$!
	wait_for test -e "$dir/up.0"
	wait_for test -e "$dir/up.1"
}
up='touch "$0.$PMIX_RANK"; while :; do sleep 0.05; done'
for s in INT TERM HUP QUIT USR1 USR2; do
	start "trap 'echo got; exit 0' $s; $up"
	kill -$s $pid
	wait $pid
	[ $? = 0 ] || fail "$s: expected exit code 0"
	lines out 2 '^got$'
	wait_for no_file
done
start "$up"
kill -TERM $pid
wait $pid
[ $? = 143 ] || fail "TERM: expected 143"
one_line 'killed by signal 15 \(Terminated\)'
start "trap '' INT TERM; $up"
kill -INT $pid
sleep 0.1
kill -0 $pid || fail "the first INT should leave the choice to the PEs"
kill -INT $pid
wait $pid
[ $? = 130 ] || fail "second INT: expected 130"
one_line 'interrupted again'
# Stop and continue.
start 'touch "$0.$PMIX_RANK"; while :; do sleep 0.02
	echo >>"$0.tick.$PMIX_RANK"; done'
stopped() {
	[ "$(ps -o state= -p $pid | tr -d ' ')" = T ]
}
kill -TSTP $pid
wait_for stopped
sleep 0.1
a=$(cat "$dir"/up.tick.* | wc -l)
sleep 0.2
[ "$(cat "$dir"/up.tick.* | wc -l)" = "$a" ] || fail "PEs ran on after TSTP"
kill -CONT $pid
more() {
	[ "$(cat "$dir"/up.tick.* | wc -l)" -gt "$a" ]
}
wait_for more
kill -KILL $pid
wait $pid
finish
