#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A choice of what mlx5.sh runs, by queues of bnxt_re, with waves of 32.
. "${SRCDIR:-.}/tests/gda/lib.sh"
nic bnxt_re
SHMEM_CPU_GANGS=yes
SHMEM_CPU_WAVE=32
export SHMEM_CPU_GANGS SHMEM_CPU_WAVE

by 1 2 gpu/amo gpu/barrier gpu/later gpu/order gpu/p_g gpu/rma_get \
	gpu/rma_put gpu/signal gpu/strided_put
by 2 3 gpu/fuzz gpu/put_signal gpu/reduce_sum gpu/scopes gpu/wait
by 2 4 gpu/coll_alltoallv gpu/wait_sets
by 3 4 gpu/coll_broadcast gpu/stream_coll
by 2 4 moe/combine moe/fuzz moe/far
minimum
finish
