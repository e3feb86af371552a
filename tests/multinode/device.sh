#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests of kernels and streams, on the CPU platform, over two hosts; without
# TEST_MULTINODE=all not those that do there what they do on pretended nodes.
. "$SRCDIR/tests/multinode/suite.sh"
hosts_up a b c d
SHMEM_PLATFORM=cpu
export SHMEM_PLATFORM
except='misuse loaded'
[ "$all" ] || except="$except coll_broadcast coll_collect edges gangs
	reduce_bits reduce_minmax reduce_scan strided_get strided_put"
# shellcheck disable=SC2086
for program in $(programs gpu $except); do
	try_best "$program" a:2,b:2 a:1,b:2 a:1,b:1 \
		${all:+a:3,b:5 a:1,b:1,c:1 a:2,b:1,c:3,d:2}
done
sum
