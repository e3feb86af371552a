#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# As far.sh, on memory of the device that the host can't touch, of MoE
# exchanges as well.
. "${SRCDIR:-.}/tests/lib.sh"
grep -q '^#define HAVE_UCX 1' "$top/config.h" || skip "built without UCX"
SHMEM_CPU_HOST_ACCESS=no
SHMEM_DEVICE_HEAP_SIZE=64M
export SHMEM_CPU_HOST_ACCESS SHMEM_DEVICE_HEAP_SIZE

on_nodes 1 2 gpu/amo gpu/coll_alltoall gpu/litmus gpu/put_signal gpu/rma_get \
	gpu/rma_put moe/far
on_nodes 2 3 gpu/coll_alltoallv gpu/coll_collect gpu/stream_coll \
	gpu/stream_graph gpu/stream_rma moe/far moe/graph
finish
