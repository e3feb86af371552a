#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# All to all with random sizes over two, three and four hosts.
. "$SRCDIR/tests/multinode/suite.sh"
hosts_up a b c d
program=$top/tests/multinode/alltoall
try a:3,b:5 "$program"
try a:1,b:2,c:1 "$program"
try a:1,b:1,c:1,d:1 "$program"
[ -z "$all" ] || {
	try a:2,b:2 "$program" 5 3000000
	try a:2,b:1,c:3,d:2 "$program"
	try d:1,b:3,a:2 "$program"
	SHMEM_PROGRESS=calls try a:2,b:2 "$program"
}
sum
