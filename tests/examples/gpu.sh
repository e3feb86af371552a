#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples with kernels; GPU_SUFFIX=.gpu runs those for a GPU.
. "${SRCDIR:-.}/tests/lib.sh"
suffix=${GPU_SUFFIX:-}
for n in $all_pes; do
	run 0 -n "$n" "$examples/gpu/ring$suffix"
	last "^[a-z]+: round $n PEs the sum is $((n * (n - 1) / 2)), right\$"

	run 0 -n "$n" "$examples/gpu/halo$suffix"
	lines out "$n" '^PE [0-9]+: 200 steps of 1000 cells, 0 wrong$'

	run 0 -n "$n" "$examples/gpu/pipeline$suffix"
	lines out "$n" '^PE [0-9]+: 32 blocks of 4096 numbers, 0 wrong$'

	run 0 -n "$n" "$examples/gpu/alltoall_on_stream$suffix"
	lines out "$n" "^PE [0-9]+: 11 exchanges with $n PEs, 0 wrong\$"
done
finish
