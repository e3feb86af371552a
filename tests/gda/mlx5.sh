#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests of kernels and MoE between nodes, by queues of mlx5, with waves of
# 64 whose items share entries, as on a GPU.
. "${SRCDIR:-.}/tests/gda/lib.sh"
nic mlx5
SHMEM_CPU_GANGS=yes
export SHMEM_CPU_GANGS

by 1 2 gpu/amo gpu/barrier gpu/later gpu/order gpu/p_g gpu/rma_get \
	gpu/rma_put gpu/signal gpu/strided_get gpu/strided_put
by 2 3 gpu/coll_collect gpu/fuzz gpu/put_signal gpu/reduce_bits \
	gpu/reduce_sum gpu/scopes gpu/wait
by 2 4 gpu/coll_alltoall gpu/coll_alltoallv gpu/coll_alltoallv_2d gpu/edges \
	gpu/reduce_minmax gpu/reduce_scan gpu/stream_rma gpu/wait_sets
by 3 4 gpu/coll_broadcast gpu/stream_alltoallv gpu/stream_coll \
	gpu/stream_graph
by 1 2 moe/capacity moe/dispatch moe/far
minimum
by 2 4 moe/far
minimum
by 2 4 moe/backward moe/combine moe/fuzz moe/graph moe/streams moe/teams
finish
