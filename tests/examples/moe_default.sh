#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The text that it takes when none is named.
. "${SRCDIR:-.}/tests/lib.sh"
text=/usr/share/common-licenses/GPL-3
[ -f $text ] || skip "no $text"
for n in $all_pes; do
	run 0 -n "$n" "$examples/moe_exchange" --repeat=1
	lines out 1 "^text +$text, "
	lines out 32 '^expert '
	last '^checked: [1-9][0-9]+ tokens, max difference 0$'
	lines err 0 .
	wide=$(awk 'length > 80' "$dir/out")
	[ -z "$wide" ] || fail "wider than 80 columns: $wide"
done
