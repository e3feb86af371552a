#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One layer, all ways of exchange: right on any number of PEs, and it learns.
# MOE_LAYER_SUFFIX=.gpu runs it on a GPU.
. "${SRCDIR:-.}/tests/lib.sh"
layer=$examples/moe_layer${MOE_LAYER_SUFFIX:-}
make_text 700 >"$dir/text"

# right N OPTIONS...
right() {
	n=$1
	shift
	run 0 -n "$n" "$layer" --experts=8 --tokens=33 --hidden=32 --ffn=40 \
		--steps=4 "$@" "$dir/text"
	lines out 7 ' [0-9.]+e[-+][0-9]+  [0-9.]+e-[0-9]+$'
	last '^checked: 4 steps of [0-9]+ tokens$'
	first=$(sed -n 's/^step 1 *loss //p' "$dir/out")
	fourth=$(sed -n 's/^step 4 *loss //p' "$dir/out")
	awk -v a="$first" -v b="$fourth" 'BEGIN { exit !(b < a) }' ||
		fail "the loss did not fall: $first, $fourth"
}

for n in 1 2 4; do
	for dtype in bf16 fp16 fp32; do
		right "$n" --dtype=$dtype
		right "$n" --dtype=$dtype --baseline
	done
	right "$n" --layout=slots
	right "$n" --overlap
	right "$n" --overlap --layout=slots --dtype=fp32
	right "$n" --fp8 --hidden=128
	right "$n" --fp8 --hidden=128 --dtype=fp16 --layout=slots --overlap
done
# As many choices as experts, one expert each, one token, an odd number.
right 2 --top-k=8
right 4 --experts=4 --top-k=1
right 4 --baseline --top-k=5
run 0 -n 2 "$layer" --tokens=1 --steps=1 --experts=6 "$dir/text"
last '^checked: 1 steps of 2 tokens$'
run 0 -n 2 "$layer" --tokens=3 --steps=2 --overlap "$dir/text"
last '^checked: 2 steps of 6 tokens$'

# A text shorter than a step begins again.
echo 'one two' >"$dir/few"
run 0 -n 2 "$layer" --steps=2 "$dir/few"
last '^checked: 2 steps of 256 tokens$'
# Its tokens are alike, and still weights don't run away.
run 0 -n 2 "$layer" --no-check "$dir/few"
sixth=$(sed -n 's/^step 6 *loss //p' "$dir/out")
awk -v loss="$sixth" 'BEGIN { exit !(loss < 100) }' ||
	fail "the loss of the sixth step is $sixth"
finish
