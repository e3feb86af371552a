#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every benchmark once, with few operations: only what it moves is judged.
oshrun=${OSHRUN:-oshrun}
perf=${BUILDDIR:-.}/perf

command -v ${oshrun%% *} >/dev/null || {
	echo "SKIP: no $oshrun"
	exit 77
}
failed=0

try()
{
	if "$@"; then
		return
	fi
	echo "FAIL: $*"
	failed=1
}

few='--iters=3 --reps=2'
for npes in 2 3; do
	for program in latency bandwidth message_rate pingpong; do
		try $oshrun -n $npes $perf/$program $few --sizes=1,8,1000,64K
	done
done
for npes in 1 2 4; do
	try $oshrun -n $npes $perf/collectives $few --sizes=8,1000,64K
done
# A window of broadcasts and more, with the sizes of the other path.
try $oshrun -n 2 $perf/collectives --iters=150 --reps=2 --sizes=16
try $oshrun -n 2 $perf/memory
try $oshrun -n 2 $perf/memory --json
try $oshrun -n 2 $perf/latency --json $few --sizes=8
try $perf/limit $few --sizes=64,64K
try $perf/startup --iters=1 --reps=2 $oshrun -n 2 $perf/memory --init-only

# Two processes that meet at a port of their own.
pair()
{
	port=$((20000 + $$ % 20000))
	PERF_PAIR=connect:127.0.0.1:$port $perf/ucp_limit $few "$@" \
		>/dev/null &
	PERF_PAIR=listen:$port $perf/ucp_limit $few "$@" && wait $!
}
if [ -x $perf/ucp_limit ]; then
	for tls in posix,self tcp,self; do
		export UCX_TLS=$tls
		try pair --sizes=8,64K
	done
fi
exit $failed
