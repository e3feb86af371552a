#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Exchanges of vectors that are wrong end the job, and what is said is true:
# counts that differ always, the rest with SHMEM_CHECK=1. Those that are right
# pass with checks and on several nodes.
. "${SRCDIR:-.}/tests/lib.sh"
limit=60

# wrong N CASE PATTERN: one PE is heard, or several that find it at once.
wrong() {
	run_fails -n "$1" "$bin/alltoallv_wrong" "$2"
	lines err 0 'unnoticed'
	hits=$(grep -c '^sirocco: ' "$dir/err")
	[ "$hits" -ge 1 ] && [ "$hits" -le "$1" ] || fail "$2: $hits lines"
	lines err "$hits" "^sirocco: PE [0-9]: $3"
}

always() {
	v=shmemx_long_alltoallv
	wrong 3 sends_more "$v: (source_nelems\[2\] is 4 here, but \
dest_nelems\[0\] is 3 on PE 2|dest_nelems\[0\] is 3 here, but \
source_nelems\[2\] is 4 on PE 0)\$"
	wrong 3 takes_none "$v: (source_nelems\[2\] is 3 here, but \
dest_nelems\[0\] is 0 on PE 2|dest_nelems\[0\] is 0 here, but \
source_nelems\[2\] is 3 on PE 0)\$"
	wrong 1 own_differs "$v: source_nelems\[0\] is 3 here, but \
dest_nelems\[0\] is 2 on PE 0\$"
	wrong 2 negative "$v: [0-9]+ elements (at offset|of 8 bytes)"
	wrong 2 huge "$v: [0-9]+ elements (at offset|of 8 bytes)"
	rows=shmemx_alltoallv_2d
	wrong 3 rows_many "$rows: 9 rows come, but dest_rows is 8\$"
	wrong 2 back_many "${rows}_offset: 6 rows come, but dest_rows is 5\$"
	wrong 2 rows_private "$rows: 0x[0-9a-f]+ .* is not in the symmetric "
	wrong 2 rows_overflow "$rows: counts are more than an address "
	wrong 2 rows_differ "$rows: row_bytes is (8|16) here, but (8|16) on "
	wrong 2 experts_differ "$rows: n_local is [12] here, but [12] on PE"
	wrong 2 experts_huge "$rows: [0-9]+ elements of [0-9]+ bytes are more"
	run 0 -n 3 "$bin/alltoallv_wrong" rows_padded
	lines err 3 '^fine$'
}

right() {
	for test in alltoallv alltoallv_2d; do
		run 0 -n "$1" "$bin/$test"
		says 0 .
	done
}

always
v=shmemx_long_alltoallv
wrong 2 size_differs \
	'.*alltoallv: elements of [48] bytes here, but of [48] bytes on PE'
SHMEM_CHECK=1
export SHMEM_CHECK
rows=shmemx_alltoallv_2d
wrong 2 sends_more "$v: (source_nelems|dest_nelems)\["
wrong 2 rows_many "$rows: 6 rows come, but dest_rows is 5\$"
wrong 2 rows_private "$rows: dest is 0x[0-9a-f]+, expected an address in"
wrong 2 size_differs '.*alltoallv: PE [01] calls shmemx_.*_alltoallv'
wrong 2 leaves_heap "$v: [0-9]+ bytes at (dest|source) 0x[0-9a-f]+, but only"
wrong 2 behind_heap "$v: (dest|source) is 0x[0-9a-f]+, expected an address in"
wrong 2 rows_null "$rows: source is NULL"
wrong 2 counts_null "$rows: out_offsets is NULL"
wrong 2 dest_overlaps "$v: block 0 of dest and block 1 of dest overlap"
wrong 2 in_place "$v: block [01] of .* and block [01] of .* overlap"
wrong 2 dest_null "$v: dest is NULL, expected [0-9]+ bytes"
wrong 2 table_null "$v: dest_offsets is NULL"
wrong 2 rows_in_place "$rows: dest 0x[0-9a-f]+ and source 0x[0-9a-f]+ overlap"
wrong 2 other_routine "shmem.*: PE [01] calls shmem"
right 3
unset SHMEM_CHECK

grep -q '^#define HAVE_UCX 1' "$top/config.h" || finish
for SHMEM_NODE_SIZE in 1 2 3; do
	export SHMEM_NODE_SIZE
	right 5
done
SHMEM_NODE_SIZE=2
always
SHMEM_CHECK=1 right 4
finish
