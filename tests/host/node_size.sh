#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SHMEM_NODE_SIZE: PEs that are said to be on another node are out of reach of
# shared memory, and the error names them.
. "${SRCDIR:-.}/tests/lib.sh"
limit=20
SHMEM_NODE_SIZE=2 run 0 -n 2 "$bin/plain"
SHMEM_NODE_SIZE=1 run 0 -n 1 "$bin/plain"
SHMEM_NODE_SIZE=1 run_fails -n 2 "$bin/plain"
grep -q '^sirocco: PE [01]: no conduit reaches PE [01] on .*another node' \
	"$dir/err" || fail "it does not say who is out of reach"
finish
