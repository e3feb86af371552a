#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fails if no test's kernel called a routine that kernels have. Each program
# left the names of what it called; those of older builds don't count.
set -u
here=${GPU_TESTS:-$BUILDDIR/tests/gpu}
names=$(mktemp -d) || exit 99
trap 'rm -rf "$names"' EXIT

for program in "$here"/*"${GPU_SUFFIX:-}"; do
	[ -x "$program" ] && [ -f "$program" ] || continue
	find "$here" -name "${program##*/}.called" -newer "$program" \
		-exec cat {} +
done | LC_ALL=C sort -u >"$names/called"
"$here/names" | LC_ALL=C sort -u >"$names/required"

missing=$(LC_ALL=C comm -13 "$names/called" "$names/required")
[ -z "$missing" ] || {
	echo "never called:" $missing
	exit 1
}
echo "all $(wc -l <"$names/required") routines were called"
