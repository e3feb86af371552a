#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# TMPDIR unset, missing, a file, read-only, relative, too long: still starts.
. "${SRCDIR:-.}/tests/lib.sh"
pattern='^oshrun: session directory /(tmp|dev/shm)/oshrun-'
oshrun -v -n 2 env >"$dir/out" 2>"$dir/err" </dev/null || fail "exit code $?"
lines err 1 "^oshrun: session directory $dir/tmp/oshrun-"
touch "$dir/file"
long=$dir/$(head -c 4200 /dev/zero | tr '\0' x)
for t in "" "$dir/missing" "$dir/file" relative /proc /sys "$long"; do
	(
		TMPDIR=$t
		oshrun -v -n 2 "$CLIENT" fence 2>"$dir/err" </dev/null ||
			fail "TMPDIR=$t: exit code $?"
	) || exit 1
	lines err 1 "$pattern"
	made=$(sed -n 's/^oshrun: session directory //p' "$dir/err")
	[ -e "$made" ] && fail "TMPDIR=$t: left $made"
done
(
	unset TMPDIR
	oshrun -v -n 2 "$CLIENT" fence 2>"$dir/err" </dev/null ||
		fail "no TMPDIR: exit code $?"
) || exit 1
lines err 1 "$pattern"
mode=$(oshrun -n 1 sh -c 'stat -c %a "$TMPDIR"/oshrun-*')
[ "$mode" = 700 ] || fail "session directory of mode $mode"
finish
