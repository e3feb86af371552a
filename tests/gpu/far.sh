#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Kernels, and operations on streams, whose PEs are on other nodes, pretended
# ones of one to three PEs: a choice of the tests here.
. "${SRCDIR:-.}/tests/lib.sh"
grep -q '^#define HAVE_UCX 1' "$top/config.h" || skip "built without UCX"

on_nodes 1 2 gpu/amo gpu/barrier gpu/order gpu/p_g gpu/rma_get gpu/rma_put \
	gpu/signal gpu/strided_put
on_nodes 1 3 gpu/coll_alltoallv_2d gpu/stream_alltoallv
on_nodes 2 4 gpu/coll_alltoallv gpu/coll_alltoallv_2d
on_nodes 2 3 gpu/coll_collect gpu/fuzz gpu/put_signal gpu/scopes gpu/wait
on_nodes 2 4 gpu/coll_alltoall gpu/edges gpu/stream_rma \
	gpu/wait_sets
on_nodes 3 4 gpu/coll_broadcast gpu/stream_coll gpu/stream_graph
on_nodes 2 5 gpu/reduce_bits
finish
