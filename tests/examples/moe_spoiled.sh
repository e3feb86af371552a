#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Wrong bits in rows that one PE sends must be found.
. "${SRCDIR:-.}/tests/lib.sh"
make_text 100 >"$dir/text"
spoiled=$top/tests/examples/moe_spoiled
run 0 -n 3 "$spoiled" --repeat=1 "$dir/text"
for way in out back; do
	SPOIL=$way
	export SPOIL
	run 1 -n 3 "$spoiled" --repeat=1 "$dir/text"
	last '^WRONG: [1-9][0-9]* tokens of 110, max difference [0-9.e-]+, '
done
