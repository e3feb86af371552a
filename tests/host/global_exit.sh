#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shmem_global_exit ends all PEs in whatever state, its status is that of the
# launcher, 0 included, and what stdio holds is written.
. "${SRCDIR:-.}/tests/lib.sh"
limit=20
for state in barrier wait signal lock compute finalize reduce sleep; do
	for status in 0 99; do
		run $status -n 3 "$bin/ending" $state $status
		lines out 1 '^buffered text$'
		lines err 0 'came back'
	done
done
run 0 -n 1 "$bin/ending" barrier 0
run 99 -n 1 "$bin/ending" barrier 99
run 7 -n 8 "$bin/ending" barrier 7
finish
