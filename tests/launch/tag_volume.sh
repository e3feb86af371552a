#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Hundreds of MiB through a slow reader: nothing lost, little memory.
. "${SRCDIR:-.}/tests/lib.sh"
each=50	# MiB a PE
line=0123456789012345678901234567890123456789012345678901234567
oshrun_bg -n 4 --tag-output sh -c 'yes "$0$PMIX_RANK" |
	head -c $1' $line $((each * 1048576)) 2>"$dir/err" |
	{ sleep 1; ps -C oshrun -o rss= >"$dir/rss"; cat; } |
	awk '{ bytes += length($0) - 3; bad += $0 !~ /^\[[0-3]\] 0123/ }
	     END { print NR, bytes, bad + 0 }' >"$dir/out"
read -r n bytes bad <"$dir/out"
[ "$bad" = 0 ] || fail "$bad lines are not whole"
# 60 bytes a line, the last one cut short; awk does not count the newline.
[ "$((n + bytes))" -ge $((each * 1048576 * 4)) ] || fail "$n lines only"
while read -r kib; do
	[ "$kib" -lt 131072 ] || fail "oshrun holds $kib KiB"
done <"$dir/rss"
finish
