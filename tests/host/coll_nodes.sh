#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# far_coll with nodes of other sizes, by every algorithm, and with checks; and
# the tests of single collectives, whose PEs are on several nodes here.
. "${SRCDIR:-.}/tests/lib.sh"
grep -q '^#define HAVE_UCX 1' "$top/config.h" || skip "built without UCX"
limit=100

# by WORD N NODE_SIZE PROGRAM
by() {
	SHMEM_ALLTOALL_ALGORITHM=$1 SHMEM_BROADCAST_ALGORITHM=$1 \
		SHMEM_COLLECT_ALGORITHM=$1 SHMEM_REDUCE_ALGORITHM=$1 \
		SHMEM_NODE_SIZE=$3 run 0 -n "$2" "$bin/$4"
	grep SEED "$dir/out"
}

for word in flat node direct; do
	by $word 5 2 far_coll
done
# Where UCX refuses to watch for lost connections, both ends must count alike.
UCX_TLS=posix,cma,self by auto 5 2 random_coll
by auto 4 1 far_coll
by auto 4 2 far_coll
SHMEM_BARRIER_ALGORITHM=dissemination by auto 5 2 far_coll
SHMEM_CHECK=1 by auto 4 3 far_coll
for size in 1 3; do
	by auto 4 $size random_coll
	for test in reduce scan team_2d team_strided active_set_threads \
		broadcast_root alltoall_strides collect_counts back_to_back; do
		SHMEM_NODE_SIZE=$size run 0 -n 4 "$bin/$test"
	done
done
finish
