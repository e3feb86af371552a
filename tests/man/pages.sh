#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every routine, and every extension, has a page that names it and describes
# its arguments; `man` finds it by each name.
set -u
dir=$BUILDDIR/man/man3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
	echo "$*"
	exit 1
}

"$BUILDDIR/src/tools/dump_api" >"$work/dump" || exit 1
"$BUILDDIR/man/rows" >"$work/rows" || exit 1
${AWK:-awk} -v dir="$dir" -f "$SRCDIR/tests/man/covers.awk" "$work/rows" \
	"$work/dump" || exit 1

"$BUILDDIR/src/tools/dump_api" --map |
	sed -n 's/^[[:space:]]*\(shmemx_[a-z_0-9]*\);/\1/p' >"$work/extensions"
[ -s "$work/extensions" ] || fail "dump_api names no extension"
while read -r name; do
	page=$SRCDIR/man/$name.3
	[ -f "$page" ] || fail "$name: no page"
	grep -q "^\.BI .*$name(" "$page" || fail "$name: not in its synopsis"
done <"$work/extensions"

# The test itself must see a page that is missing, silent or incomplete.
mkdir "$work/man3"
cp -P "$dir"/shmem_*put*.3 "$work/man3"
grep -E '^shmem_(long_put|put64|putmem)	' "$work/dump" >"$work/few"
check() {
	${AWK:-awk} -v dir="$work/man3" -f "$SRCDIR/tests/man/covers.awk" \
		"$work/rows" "$work/few"
}
check >/dev/null || fail "three good pages are refused"
page=$work/man3/shmem_put.3
cp "$page" "$work/good"
for edit in '/^\.IR pe /d' '/TYPENAME/d' 's/SIZE/WORD/' 's/long,/lang,/'; do
	sed "$edit" "$work/good" >"$page"
	check >/dev/null && fail "a page edited by $edit passes"
done
rm "$page"
check >/dev/null && fail "a page that is not there passes"

command -v man >/dev/null || exit 0
for name in shmem_long_put shmem_putmem shmem_ctx_put64_nbi shmem_put \
	shmem_my_pe shmem_ctx_double_atomic_swap shmem_sum_reduce; do
	man -M "$BUILDDIR/man" -w 3 "$name" >"$work/where" 2>&1 && continue
	# An absent man-db (a stub, as in small containers) says nothing of us.
	man -w 1 man >/dev/null 2>&1 || break
	fail "man does not find $name: $(cat "$work/where")"
done
exit 0
