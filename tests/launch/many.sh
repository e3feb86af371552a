#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1,000 PEs start and end, or are refused by a line that names the limit.
. "${SRCDIR:-.}/tests/lib.sh"
oshrun -n 1000 sh -c 'echo $PMIX_RANK' >"$dir/out" 2>"$dir/err" </dev/null
case $? in
0)
	[ "$(sort -n "$dir/out" | uniq | wc -l)" = 1000 ] ||
		fail "not every PE ran" ;;
71)
	one_line '^oshrun: cannot start 1000 PEs: .* allows [0-9]+' ;;
*)
	fail "neither started nor refused" ;;
esac
oshrun -n 300 --tag-output sh -c 'echo $PMIX_RANK' >"$dir/out" \
	2>"$dir/err" </dev/null || fail "with tags: exit code $?"
[ "$(sort "$dir/out" | uniq | wc -l)" = 300 ] || fail "not every line came"
# Just as many descriptors as asked for suffice.
(
	ulimit -n 164
	run 0 -n 100 "$CLIENT" fence
) || exit 1
# A low limit on descriptors that cannot be raised, if we are not root.
if [ "$(id -u)" != 0 ]; then
	(
		ulimit -n 100
		run 71 -n 100 true
	) || exit 1
	one_line 'RLIMIT_NOFILE'
fi
# The PEs keep the limit that the user had.
(
	ulimit -S -n 256
	run 0 -n 100 sh -c 'ulimit -n'
) || exit 1
lines out 100 '^256$'
finish
