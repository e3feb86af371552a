#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Kernels, and operations on streams, whose PEs are on other nodes, pretended
# ones of one to three PEs: a choice of the tests here, on memory of the host
# and on such of the device that the host can't touch.
. "${SRCDIR:-.}/tests/lib.sh"
grep -q '^#define HAVE_UCX 1' "$top/config.h" || skip "built without UCX"
export SHMEM_NODE_SIZE

# far NODE_SIZE PES PROGRAM...
far() {
	SHMEM_NODE_SIZE=$1
	pes=$2
	shift 2
	for program; do
		begin=$(date +%s)
		run 0 -n "$pes" "$top/tests/gpu/$program"
		echo "$program, $pes PEs, $SHMEM_NODE_SIZE a node:" \
			"$(($(date +%s) - begin)) s"
	done
}

far 1 2 amo barrier order p_g query rma_get rma_put signal strided_put
far 1 3 coll_alltoallv coll_alltoallv_2d stream_alltoallv
far 2 4 coll_alltoallv coll_alltoallv_2d stream_alltoallv
far 2 3 coll_collect fuzz put_signal reduce_sum scopes strided_get wait
far 2 4 coll_alltoall edges reduce_minmax reduce_scan stream_rma wait_sets
far 3 4 coll_broadcast stream_coll stream_graph
far 3 8 reduce_bits
SHMEM_CPU_HOST_ACCESS=no
SHMEM_DEVICE_HEAP_SIZE=64M
export SHMEM_CPU_HOST_ACCESS SHMEM_DEVICE_HEAP_SIZE
far 1 2 amo coll_alltoall litmus put_signal rma_get rma_put
far 2 3 coll_alltoallv coll_alltoallv_2d coll_collect reduce_sum stream_coll stream_graph stream_rma
finish
