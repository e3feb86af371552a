#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that do nothing wrong pass with all checks on, and with all traces:
# the ends of allocations and of static data, NULL with no elements, sets of
# one PE, and most of the tests beside this script.
. "${SRCDIR:-.}/tests/lib.sh"
SHMEM_CHECK=1
export SHMEM_CHECK
for n in 1 2 3; do
	for test in legal_edges zero_length malloc_zero malloc_forms \
		static_pie alltoall_strides broadcast_root collect_counts ctx \
		nbi ptr reduce_active_set scan signal team_2d \
		team_query wide_types back_to_back lock lock_threads \
		init_again old_start generic_types amo_contended random_coll \
		random_rma; do
		run 0 -n $n "$bin/$test"
		says 0 .
	done
done
for test in fence_order progress wait_sets wait_stores; do
	run 0 -n 2 "$bin/$test"
	says 0 .
done
SHMEM_SYMMETRIC_SIZE=4m run 0 -n 2 "$bin/heap_exhaustion"
says 0 .

unset SHMEM_CHECK
SHMEM_DEBUG=all
export SHMEM_DEBUG
run 0 -n 2 "$bin/legal_edges"
for class in init mem rma amo coll ctx; do
	grep -q "^sirocco: PE [01]: $class: " "$dir/err" ||
		fail "no trace of class $class"
done
lines err 2 '^sirocco: PE [01]: init: initialised, heap of '
lines err "$(wc -l <"$dir/err")" '^sirocco: PE [01]: [a-z]+: '
SHMEM_DEBUG=rma,mem run 0 -n 2 "$bin/legal_edges"
lines err "$(wc -l <"$dir/err")" '^sirocco: PE [01]: (rma|mem): '
grep -q ': rma: shmem_long_put: dest 0x.*PE 1' "$dir/err" ||
	fail "no trace of a put"
finish
