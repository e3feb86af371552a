#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One PE exits while the others wait for it: with a status, or with 0 and no
# finalize; or it never starts OpenSHMEM. The job ends soon, with a line, and
# nothing stays behind.
. "${SRCDIR:-.}/tests/lib.sh"
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
for pe in 0 2; do
	SHMEM_TIMEOUT=1 run 1 -n 3 sh -c \
		"[ \$PMIX_RANK = $pe ] && exec sleep 60; exec \"\$0\"" "$bin/plain"
	grep -q '^sirocco: .*not all of 3 PEs came within 1 s' "$dir/err" ||
		fail "PE $pe is missing: it should say so"
	wait_for nothing_left
done
finish
