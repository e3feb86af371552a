#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the installed examples with the installed oshcc and runs them with the
# installed oshrun. Started by `make installcheck`, which sets PREFIX, BIN and
# EXAMPLES, or by hand with PREFIX only.
set -eu
prefix=${PREFIX:?expected the directory that was installed to}
bin=${BIN:-$prefix/bin}
sources=${EXAMPLES:-$prefix/share/doc/sirocco/examples}
here=${SRCDIR:-.}
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT

build() {
	# shellcheck disable=SC2086 # CFLAGS may be several
	"$bin/oshcc" -O2 ${CFLAGS:-} -o "$@"
}

for program in hello ring_signal heat; do
	build "$built/$program" "$sources/$program.c" -lm
done
mkdir "$built/gpu"
for program in ring halo pipeline alltoall_on_stream; do
	build "$built/gpu/$program" "$sources/gpu/$program.c"
done
build "$built/moe_exchange" "$sources"/moe/*.c -ljansson -lm
build "$built/moe_layer" "$sources"/layer/*.c -ljansson -lm

for test in small gpu layer layer_options moe moe_default moe_errors moe_options; do
	status=0
	OSHRUN=$bin/oshrun EXAMPLES=$built SRCDIR=$here \
		sh "$here/tests/examples/$test.sh" || status=$?
	echo "$test: $status"
	[ $status = 0 ] || [ $status = 77 ]
done
