#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Atomics on one variable from its own node, from another and by its owner.
. "$SRCDIR/tests/multinode/suite.sh"
hosts_up a b c
program=$top/tests/multinode/atomics
try a:2,b:2 "$program"
try a:1,b:1,c:1 "$program"
SHMEM_PROGRESS=calls try a:1,b:2 "$program"
[ -z "$all" ] || {
	try a:2,b:2 "$program" 3000
	try a:3,b:5 "$program"
}
sum
