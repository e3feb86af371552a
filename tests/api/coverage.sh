#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fails if a routine of the specification was called by no test. Each program
# call_* left the names of what it called; those of older builds don't count.
set -u
here=$BUILDDIR/tests/api
names=$(mktemp -d) || exit 99
trap 'rm -rf "$names"' EXIT

for program in "$here"/call_*; do
	[ -x "$program" ] && [ -f "$program" ] || continue
	find "$here" -name "${program##*/}.called.*" -newer "$program" \
		-exec cat {} +
done | sort -u >"$names/called"
sed 1d "$SRCDIR/tests/api/openshmem-1.6.tsv" | cut -f2 | sort -u \
	>"$names/required"

missing=$(comm -13 "$names/called" "$names/required")
[ -z "$missing" ] || {
	echo "never called:" $missing
	exit 1
}
echo "all $(wc -l <"$names/required") routines were called"
