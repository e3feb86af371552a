#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An exchange that one PE makes wrong must be found.
. "${SRCDIR:-.}/tests/lib.sh"
make_text 100 >"$dir/text"
spoiled=$top/tests/examples/layer_spoiled
for dtype in bf16 fp32; do
	SPOIL=
	export SPOIL
	run 0 -n 2 "$spoiled" --steps=1 --dtype=$dtype "$dir/text"
	for SPOIL in dispatch combine combine_back dispatch_back; do
		export SPOIL
		run 1 -n 2 "$spoiled" --steps=1 --dtype=$dtype "$dir/text"
		last '^WRONG: 1 steps of 256 tokens$'
	done
done
finish
