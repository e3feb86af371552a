#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each algorithm of an alltoall in kernels and on streams, which the environment
# of PE 0 chooses for all; a word that is none is refused. And exchanges where
# the heap of kernels is not the default one.
. "${SRCDIR:-.}/tests/lib.sh"

for word in packets push; do
	for n in 1 3 4; do
		run 0 -n $n env SHMEM_DEVICE_ALLTOALL_ALGORITHM=$word \
			"$top/tests/gpu/coll_alltoall"
	done
	run 0 -n 3 env SHMEM_DEVICE_ALLTOALL_ALGORITHM=$word \
		"$top/tests/gpu/stream_coll"
done
for most in 0 40 1m; do
	run 0 -n 3 env SHMEM_DEVICE_ALLTOALL_PACKETS_MAX=$most \
		"$top/tests/gpu/coll_alltoall"
done
# Other PEs' words don't count.
run 0 -n 4 sh -c 'case $PMIX_RANK in
	0) SHMEM_DEVICE_ALLTOALL_ALGORITHM=packets ;;
	*) SHMEM_DEVICE_ALLTOALL_ALGORITHM=push ;;
	esac
	export SHMEM_DEVICE_ALLTOALL_ALGORITHM
	exec "$0"' "$top/tests/gpu/coll_alltoall"
for program in coll_alltoallv coll_alltoallv_2d; do
	run 0 -n 3 env SHMEM_DEVICE_HEAP_SIZE=64M "$top/tests/gpu/$program"
done
run_fails -n 2 env SHMEM_DEVICE_ALLTOALL_ALGORITHM=pigeons \
	"$top/tests/gpu/coll_alltoall"
grep -q '^sirocco: .*SHMEM_DEVICE_ALLTOALL_ALGORITHM' "$dir/err" ||
	fail "no word of a wrong algorithm"
finish
