#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Static data of a program that lld has linked, which gives what is sealed after
# relocation a writable segment of its own, is symmetric; as PIE and not.
. "${SRCDIR:-.}/tests/lib.sh"
limit=60
command -v ld.lld >/dev/null || skip "no ld.lld"
for pie in '-fPIE -pie' '-fno-pie -no-pie' '-fPIE -pie -Wl,-z,now'; do
	$CC $CFLAGS -std=gnu11 $pie -fuse-ld=lld -I"$SRCDIR/include" \
		"$SRCDIR/tests/host/data_kinds.c" -o "$dir/tmp/kinds" \
		-L"$top/.libs" -Wl,-rpath,"$top/.libs" -lsirocco \
		>"$dir/err" 2>&1 || skip "$CC does not link with lld $pie"
	for n in 1 3; do
		run 0 -n $n "$dir/tmp/kinds"
		says 0 .
	done
done
rm "$dir/tmp/kinds"
finish
