#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One text, any number of PEs: the same result to the bit.
. "${SRCDIR:-.}/tests/lib.sh"
moe=$examples/moe_exchange
make_text 500 >"$dir/text"

# same OPTIONS...: the checksum and the load must not depend on the PEs.
same() {
	rm -f "$dir/first"
	for n in $all_pes; do
		run 0 -n "$n" "$moe" --repeat=2 "$@" "$dir/text"
		last '^checked: 550 tokens, max difference 0$'
		lines out 1 '^tokens +550, '
		lines out 1 "^PEs +$n\$"
		sed -n -E 's/^(expert +[0-9]+) +PE +[0-9]+/\1/p; /^checksum/p' \
			"$dir/out" >"$dir/now"
		[ -f "$dir/first" ] || cp "$dir/now" "$dir/first"
		cmp "$dir/first" "$dir/now" || fail "$n PEs: another result"
	done
}

same
same --experts=7 --top-k=3 --hidden=5
# Fewer experts than PEs, and every expert chosen.
same --experts=2 --top-k=2
same --experts=1 --top-k=1 --hidden=1
# More PEs than tokens.
for text in 'one' 'one,two three'; do
	echo "$text" >"$dir/few"
	run 0 -n 8 "$moe" "$dir/few"
	last '^checked: [14] tokens, max difference 0$'
done
