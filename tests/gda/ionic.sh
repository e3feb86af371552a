#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A choice of what mlx5.sh runs, by queues of ionic, with waves of 32 and 64.
. "${SRCDIR:-.}/tests/gda/lib.sh"
nic ionic
SHMEM_CPU_GANGS=yes
export SHMEM_CPU_GANGS

by 1 2 gpu/amo gpu/barrier gpu/later gpu/order gpu/p_g gpu/rma_get \
	gpu/rma_put gpu/signal gpu/strided_get
SHMEM_CPU_WAVE=32
export SHMEM_CPU_WAVE
by 2 3 gpu/fuzz gpu/put_signal gpu/reduce_scan gpu/scopes gpu/wait
by 2 4 gpu/coll_alltoall gpu/coll_alltoallv_2d gpu/stream_rma
by 3 4 gpu/coll_collect
by 2 4 moe/fuzz moe/graph moe/far
minimum
finish
