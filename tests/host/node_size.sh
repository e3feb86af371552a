#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SHMEM_NODE_SIZE pretends nodes of so many PEs. Those on another one are out of
# reach of shared memory: UCX carries what goes there, and a library without
# UCX says who it can't reach.
. "${SRCDIR:-.}/tests/lib.sh"
limit=20
SHMEM_NODE_SIZE=2 run 0 -n 2 "$bin/plain"
SHMEM_NODE_SIZE=1 run 0 -n 1 "$bin/plain"
if grep -q '^#define HAVE_UCX 1' "$BUILDDIR/config.h"; then
	SHMEM_NODE_SIZE=1 run 0 -n 2 "$bin/plain"
	SHMEM_NODE_SIZE=2 run 0 -n 3 "$BUILDDIR/src/tools/shmem_info" --routes
	grep -q '^0 *2 .* ucx  *ucx ' "$dir/out" ||
		fail "PE 2 is not reached by ucx"
	grep -q '^0 *0-1 .* smp, loads and stores' "$dir/out" ||
		fail "PE 1 is not reached by loads and stores"
else
	SHMEM_NODE_SIZE=1 run_fails -n 2 "$bin/plain"
	grep -q '^sirocco: PE [01]: no conduit reaches PE [01] on .*UCX' \
		"$dir/err" || fail "it does not say who is out of reach"
fi
finish
