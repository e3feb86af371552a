#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shmem_info --routes names the conduit of every pair of PEs.
set -eu
out=$("$OSHRUN" -n 3 "$BUILDDIR/src/tools/shmem_info" --routes)
echo "$out"
[ "$(echo "$out" | grep -c 'smp, loads and stores *smp, loads and stores')" = 3 ]
[ "$(echo "$out" | grep -c '0-2')" = 3 ]
