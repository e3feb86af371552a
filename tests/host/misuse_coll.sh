#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Collectives in which PEs disagree, or that are wrong on all: with
# SHMEM_CHECK=1 the job ends at once, and what is said is true. Calls in a
# forked child are refused, with checks and without; the job goes on.
. "${SRCDIR:-.}/tests/lib.sh"
limit=20

# wrong N NAME PATTERN: one PE is heard, or several that find it at once.
wrong() {
	run_fails -n "$1" "$bin/misuse_coll" "$2"
	lines err 0 'unnoticed'
	hits=$(grep -c '^sirocco: ' "$dir/err")
	[ "$hits" -ge 1 ] && [ "$hits" -le "$1" ] || fail "$2: $hits lines"
	lines err "$hits" "^sirocco: PE [0-9]: $3"
}

# differ N NAME A B: one calls shmem_A while another calls shmem_B.
differ() {
	wrong "$1" "$2" \
		"shmem_($3: PE [0-9] calls shmem_$4|$4: PE [0-9] calls shmem_$3) "
}

SHMEM_CHECK=1
export SHMEM_CHECK
many='2305843009213693953 elements of 8 bytes'
wrong 2 alltoall_huge 'shmem_long_alltoall: [0-9]+ elements of'
wrong 2 broadcast_huge "shmem_long_broadcast: $many"
wrong 2 reduce_huge "shmem_long_sum_reduce: $many"
wrong 2 fcollect_huge 'shmem_long_fcollect: [0-9]+ elements of'
wrong 2 stride_zero 'shmem_long_alltoalls: dst is 0, expected at least 1$'
wrong 2 stride_negative 'shmem_long_alltoalls: sst is -2, expected at least 1$'
wrong 2 stride_huge 'shmem_long_alltoalls: [0-9]+ elements of'
for algorithm in auto central dissemination; do
	SHMEM_BARRIER_ALGORITHM=$algorithm
	export SHMEM_BARRIER_ALGORITHM
	for n in 2 3; do
		differ $n barrier_broadcast barrier_all long_broadcast
		differ $n broadcast_barrier barrier_all long_broadcast
		differ $n sync_reduce sync_all long_sum_reduce
		differ $n team_sync_collect team_sync long_collect
		differ $n malloc_barrier malloc barrier_all
		wrong $n malloc_sizes \
			'shmem_malloc: [12]00 bytes here, but [12]00 bytes on '
		wrong $n calloc_sizes \
			'shmem_calloc: (8|16)00 bytes here, but (8|16)00 bytes '
	done
done
unset SHMEM_BARRIER_ALGORITHM

for SHMEM_CHECK in 0 1; do
	for SHMEM_STATIC in yes no; do
		export SHMEM_STATIC
		for call in barrier_all:barrier malloc:malloc \
			global_exit:global_exit; do
			run 0 -n 2 "$bin/misuse_coll" "child_${call#*:}"
			says 1 "shmem_${call%:*}: called in a process that"
		done
	done
done
SHMEM_STATIC=yes
run 0 -n 2 "$bin/misuse_coll" child_put
says 1 'shmem_long_p: called in a process that a PE has forked$'
SHMEM_STATIC=no run 0 -n 3 "$bin/fork_exit"
finish
