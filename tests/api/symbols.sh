#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library exports what the specification names, each routine with its
# profiling twin, and nothing else but the removed cache routines, shmemx_* and
# what the headers for kernels call.
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
awk '$2 == "T" && $3 !~ /^shmem[xd]_/ { print $3 }' "$dir/nm" >"$dir/strong"
same "weak symbols" "$dir/names" "$dir/weak"
same "strong symbols" "$dir/twins" "$dir/strong"

# The rest: shmemx_* of shmemx.h, what headers for kernels need, and the symbol
# version's own.
awk '$2 !~ /[WT]/ && $3 !~ /^SIROCCO_/ || $2 == "T" && $3 ~ /^shmem[xd]_/ {
	print $3 }' "$dir/nm" >"$dir/others"
printf '#include <shmemx.h>\n#include <shmem/device.h>\n' |
	$CC -E -I"$SRCDIR/include" -x c - >"$dir/headers"
echo '#include <shmemx.h>' | $CC -E -I"$SRCDIR/include" -x c - |
	grep -o '\<shmemx_[a-z0-9_]* *(' | tr -d ' (' | sort -u \
	>"$dir/extensions"
{
	cat "$dir/extensions"
	echo shmemx_module_register
	echo shmemx_module_unregister
	tr '\n;' ' \n' <"$dir/headers" | sed -n \
		'/__attribute__((visibility/s/.*\(shmemd_cpu_[a-z_]*\) *(.*/\1/p'
	sed -n 's/^extern __thread .*\<\(shmemd_[a-z_]*\).*/\1/p' "$dir/headers"
} | sort -u >"$dir/public"
same "other symbols" "$dir/public" "$dir/others"
"$BUILDDIR/src/tools/dump_api" --extensions | cut -f1 >"$dir/dumped"
same "dump_api --extensions" "$dir/extensions" "$dir/dumped"

# shmem_x and pshmem_x are one function.
awk '$2 == "W" || $2 == "T" && $3 !~ /^shmem[xd]_/ { n[$1]++ }
	END { for (a in n) if (n[a] % 2) { print "alone: " a; exit 1 } }' \
	"$dir/nm" || failed=1
exit $failed
