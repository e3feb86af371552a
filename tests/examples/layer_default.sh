#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The text and the sizes that it takes by default.
. "${SRCDIR:-.}/tests/lib.sh"
run 0 -n 4 "$examples/moe_layer"
lines out 1 '^text +/.*, [0-9]+ tokens$'
lines out 6 '^step [0-9]'
last '^checked: 6 steps of 512 tokens$'
lines err 0 .
wide=$(awk 'length > 80 && !/^text/' "$dir/out")
[ -z "$wide" ] || fail "wider than 80 columns: $wide"
finish
