#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --tag-output: every line whole, with its PE; stdout and stderr kept apart.
. "${SRCDIR:-.}/tests/lib.sh"
run 0 -n 4 --tag-output sh -c 'echo "to out $PMIX_RANK"
	echo "to err $PMIX_RANK" >&2; echo; printf "no newline"'
for i in 0 1 2 3; do
	lines out 1 "^\[$i\] to out $i\$"
	lines err 1 "^\[$i\] to err $i\$"
	lines out 1 "^\[$i\] \$"
	lines out 1 "^\[$i\] no newline\$"
done
# Lines that arrive in pieces, all in one file, with the line of oshrun.
oshrun -n 8 --tag-output sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do
	printf %s-begin- "$PMIX_RANK"; printf "%s\n" "$PMIX_RANK-end"
	echo "$PMIX_RANK-begin-$PMIX_RANK-end" >&2; done
	touch "$0.$PMIX_RANK"; [ "$PMIX_RANK" = 0 ] || exit 0
	for i in 1 2 3 4 5 6 7; do until [ -e "$0.$i" ]; do sleep 0.02; done; done
	exit 6' "$dir/end" >"$dir/out" 2>&1 </dev/null
[ $? = 6 ] || fail "expected exit code 6"
bad=$(grep -v -c -E '^\[([0-9])\] \1-begin-\1-end$' "$dir/out")
[ "$bad" = 1 ] || fail "$bad lines are not whole"
lines out 1 '^oshrun: PE 0 .* exited with status 6'
lines out 20 '^\[0\]'
# A line without end is cut, not kept.
run 0 -n 1 --tag-output sh -c 'head -c 1000000 /dev/zero | tr "\0" x'
[ "$(tr -d -c x <"$dir/out" | wc -c)" = 1000000 ] || fail "lost bytes"
finish
