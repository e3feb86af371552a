#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One PE exits while the others wait for it: with a status, or with 0 and no
# finalize. The job ends soon, with a line, and nothing stays behind.
. "${SRCDIR:-.}/tests/host/lib.sh"
limit=30
for state in barrier wait finalize reduce; do
	for how in exit _exit; do
		run 3 -n 3 "$bin/ending" $state 3 $how
		lines err 1 'PE 1 .*(status|code) 3'
		wait_for nothing_left
	done
	run_fails -n 3 "$bin/ending" $state 0 _exit
	[ -s "$dir/err" ] || fail "$state: it should say why it ended"
	wait_for nothing_left
done
finish
