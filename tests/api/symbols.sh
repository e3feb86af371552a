#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library exports what the specification names, each routine with its
# profiling twin, and nothing else but the removed cache routines and shmemx_*.
set -u
library=$BUILDDIR/.libs/libsirocco.so
table=$SRCDIR/tests/api/openshmem-1.6.tsv
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
failed=0

# same WHAT WANTED GOT: the two files hold the same names.
same() {
	sort -o "$dir/wanted" "$2"
	sort -o "$dir/got" "$3"
	cmp -s "$dir/wanted" "$dir/got" && return
	failed=1
	echo "$1: missing:" $(comm -23 "$dir/wanted" "$dir/got")
	echo "$1: too many:" $(comm -13 "$dir/wanted" "$dir/got")
}

sed 1d "$table" | cut -f2 >"$dir/names"
[ "$(sort -u "$dir/names" | wc -l)" = 1788 ] || {
	echo "openshmem-1.6.tsv: expected 1788 names"
	exit 1
}
for name in clear_cache_inv set_cache_inv clear_cache_line_inv \
	set_cache_line_inv udcflush udcflush_line; do
	echo "shmem_$name"
done >>"$dir/names"
"$BUILDDIR/src/tools/dump_api" >"$dir/dump" || exit 1
cut -f1 "$dir/dump" >"$dir/dumped"
same dump_api "$dir/names" "$dir/dumped"
awk -F '\t' 'NF != 3 || $3 !~ /^\(.+\)$/ { print "dump_api: " $0; bad = 1 }
	END { exit bad }' "$dir/dump" || failed=1

nm -D --defined-only "$library" | sed 's/@.*//' >"$dir/nm" || exit 1
sed 's/^/p/' "$dir/names" >"$dir/twins"
awk '$2 == "W" { print $3 }' "$dir/nm" >"$dir/weak"
awk '$2 == "T" && $3 !~ /^shmemx_/ { print $3 }' "$dir/nm" >"$dir/strong"
same "weak symbols" "$dir/names" "$dir/weak"
same "strong symbols" "$dir/twins" "$dir/strong"

# The rest: shmemx_* of shmemx.h, and the symbol version's own.
awk '$2 !~ /[WT]/ && $3 !~ /^SIROCCO_/ || $2 == "T" && $3 ~ /^shmemx_/ {
	print $3 }' "$dir/nm" >"$dir/others"
$CC -E -I"$SRCDIR/include" -include shmemx.h -x c /dev/null |
	grep -o '\<shmemx_[a-z_]* *(' | tr -d ' (' | sort -u >"$dir/extensions"
same "other symbols" "$dir/extensions" "$dir/others"

# shmem_x and pshmem_x are one function.
awk '$2 == "W" || $2 == "T" && $3 !~ /^shmemx_/ { n[$1]++ }
	END { for (a in n) if (n[a] % 2) { print "alone: " a; exit 1 } }' \
	"$dir/nm" || failed=1
exit $failed
