#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shmem_info --routes names the conduits of every pair of PEs, by segment.
set -eu
export SHMEM_PLATFORM=cpu
out=$("$OSHRUN" -n 3 "$BUILDDIR/src/tools/shmem_info" --routes)
echo "$out"
[ "$(echo "$out" | grep -c 'smp, loads and stores *smp, loads and stores')" = 3 ]
[ "$(echo "$out" | grep -c '0-2')" = 3 ]
none=$(echo "$out" | grep -c 'loads and stores *none$')
[ "$none" = 3 ]

export SHMEM_DEVICE_HEAP_SIZE=1m
out=$("$OSHRUN" -n 3 "$BUILDDIR/src/tools/shmem_info" --routes)
echo "$out"
[ "$(echo "$out" | grep -c 'xgmi, loads and stores$')" = 3 ]
out=$(SHMEM_CPU_HOST_ACCESS=no "$OSHRUN" -n 3 \
	"$BUILDDIR/src/tools/shmem_info" --routes)
echo "$out"
[ "$(echo "$out" | grep -c 'loads and stores *xgmi$')" = 3 ]
