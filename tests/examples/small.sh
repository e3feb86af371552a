#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
. "${SRCDIR:-.}/tests/lib.sh"
for n in $all_pes; do
	run 0 -n "$n" "$examples/hello"
	lines out "$n" "^PE [0-9]+ of $n\$"
	[ "$(sort -u "$dir/out" | wc -l)" = "$n" ] || fail 'a PE twice'

	run 0 -n "$n" "$examples/ring_signal"
	last "^the list came round $n PEs; last entry $(((n - 1) * (n - 1))), 0"

	run 0 -n "$n" "$examples/heat"
	last '^checked: 9216 cells, 0 rows of blocks differ$'
	lines out 1 '^step 400: largest change 6.04e-04$'
done
