#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PE 0 reads stdin, the others read nothing; nothing may be lost.
. "${SRCDIR:-.}/tests/lib.sh"
seq 200000 >"$dir/in"
oshrun -n 3 sh -c 'cat >"$0.$PMIX_RANK"' "$dir/got" <"$dir/in" ||
	fail "exit code $?"
cmp "$dir/in" "$dir/got.0" || fail "PE 0 got other input"
[ -s "$dir/got.1" ] && fail "PE 1 got input"
[ -s "$dir/got.2" ] && fail "PE 2 got input"
oshrun -n 2 sh -c 'cat >"$0.$PMIX_RANK"' "$dir/piped" <<-EOF || fail "pipe"
	$(seq 1000)
EOF
[ "$(wc -l <"$dir/piped.0")" = 1000 ] || fail "PE 0 lost piped input"
finish
