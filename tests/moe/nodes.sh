#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MoE exchanges between nodes, pretended ones of one to three PEs: far, and a
# choice of the other tests here, on memory of the host and on such of the
# device that the host can't touch.
. "${SRCDIR:-.}/tests/lib.sh"
grep -q '^#define HAVE_UCX 1' "$top/config.h" || skip "built without UCX"
export SHMEM_NODE_SIZE

# by NODE_SIZE PES PROGRAM...
by() {
	SHMEM_NODE_SIZE=$1
	pes=$2
	shift 2
	for program; do
		begin=$(date +%s)
		run 0 -n "$pes" "$top/tests/moe/$program"
		echo "$program, $pes PEs, $SHMEM_NODE_SIZE a node:" \
			"$(($(date +%s) - begin)) s"
	done
}

by 1 2 far again capacity dispatch fuzz graph
by 1 3 far
by 2 3 far cached edges halves invalid
by 2 4 far backward combine fuzz graph streams teams
by 2 5 far
by 3 4 far fuzz repeat
by 2 6 far
by 3 6 far
SHMEM_CPU_HOST_ACCESS=no
SHMEM_DEVICE_HEAP_SIZE=64M
export SHMEM_CPU_HOST_ACCESS SHMEM_DEVICE_HEAP_SIZE
by 1 2 far
by 2 3 far graph
finish
