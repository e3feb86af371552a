#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A choice of what mlx5.sh runs, by queues that a thread of the host posts from.
. "${SRCDIR:-.}/tests/gda/lib.sh"
nic verbs

by 1 2 gpu/amo gpu/barrier gpu/later gpu/order gpu/p_g gpu/rma_get \
	gpu/rma_put gpu/signal
SHMEM_CPU_GANGS=yes
export SHMEM_CPU_GANGS
by 2 3 gpu/fuzz gpu/put_signal gpu/reduce_sum gpu/scopes
by 2 4 gpu/coll_alltoall gpu/coll_alltoallv
by 2 4 moe/fuzz moe/far
minimum
finish
