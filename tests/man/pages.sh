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

# Those of Sirocco: two have pages by hand, the others tables.
"$BUILDDIR/src/tools/dump_api" --extensions >"$work/extensions" || exit 1
by_hand='^shmemx_(get_uniqueid|init_attr)	'
for name in $(grep -E "$by_hand" "$work/extensions" | cut -f1); do
	page=$SRCDIR/man/$name.3
	[ -f "$page" ] || fail "$name: no page"
	grep -q "^\.BI .*$name(" "$page" || fail "$name: not in its synopsis"
done
grep -v -E "$by_hand" "$work/extensions" >"$work/few"
${AWK:-awk} -v dir="$dir" -f "$SRCDIR/tests/man/covers.awk" "$work/rows" \
	"$work/few" || exit 1

# What groups call has a name in the manual too, without its type.
for name in shmemx_put_wg shmemx_putmem_wave shmemx_ctx_put64_nbi_wg \
	shmemx_wait_until_any_wave shmemx_quiet_wg shmemx_barrier_all_grid \
	shmemx_sum_reduce_grid; do
	grep -q '^\.SH KERNELS' "$dir/$name.3" || fail "$name: no page for kernels"
done
grep -q '^\.SH KERNELS' "$dir/shmem_malloc.3" &&
	fail "shmem_malloc is no routine of kernels"

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
