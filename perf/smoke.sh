#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every benchmark once, with few operations: only what it moves is judged.
oshrun=${OSHRUN:-oshrun}
perf=${BUILDDIR:-.}/perf
SRCDIR=${SRCDIR:-.}

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
try $oshrun -n 2 $perf/gpu/bench --quick
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

# Exchanges, of vectors and of tokens.
few='--iters=2 --reps=2'
shape='--hidden=256 --experts=16 --top-k=4 --sizes=1,33'
for npes in 1 2 4; do
	try $oshrun -n $npes $perf/alltoall $few --sizes=1K,64K
	try $oshrun -n $npes $perf/moe $few $shape
done
try $oshrun -n 4 $perf/alltoall $few --sizes=4K --skew=hot
try $oshrun -n 2 $perf/moe $few $shape --skew=hot --layout=slots
try $oshrun -n 2 $perf/moe $few $shape --skew=zipf --layout=slots --quant=none
if grep -q '^#define HAVE_UCX 1' "${BUILDDIR:-.}/config.h"; then
	export SHMEM_NODE_SIZE=2
	try $oshrun -n 4 $perf/alltoall $few --sizes=1000
	try $oshrun -n 4 $perf/moe $few $shape --skew=zipf
	unset SHMEM_NODE_SIZE
fi

# One table, and a picture where there is what draws it.
sweep()
{
	plot=
	! python3 -c 'import matplotlib' 2>/dev/null || plot=--plot=$dir/a.svg
	python3 "$SRCDIR/perf/sweep" moe --build "${BUILDDIR:-.}" --pes 1,2 \
		--iters 2 --reps 2 --sizes 1,16 --tests dispatch,combine \
		--vary hidden=128 --vary layout=compact,slots \
		--json "$dir/a.json" $plot &&
		python3 -m json.tool "$dir/a.json" >/dev/null &&
		[ -z "$plot" -o -s "$dir/a.svg" ]
}

# What measures a node of GPUs, without one: its tables and targets, what it
# would run on eight, and the CPU's programs by its own commands.
node()
{
	gpu=$SRCDIR/perf/gpu
	python3 "$gpu/node_test.py" -q &&
		python3 "$gpu/node" --dry-run --gpus 8 --nccl "$dir/nccl" \
			--nvshmem "$dir/nvshmem" --build "${BUILDDIR:-.}" \
			>"$dir/commands" &&
		[ "$(grep -c -- '-n 16 perf/moe.gpu' "$dir/commands")" -gt 8 ] &&
		grep -q 'bench_nccl 8 --most 64 --register' "$dir/commands" &&
		grep -q 'PERCENTAGE=50 .*bench_nvshmem 16' "$dir/commands" &&
		python3 "$gpu/node" --cpu --only alltoall,vdev,moe \
			--build "${BUILDDIR:-.}" >"$dir/node.md" &&
		grep -q '^| 1048576 | - | - | [0-9.]* us |' "$dir/node.md" &&
		grep -q '^| 4 | 16 | - | [0-9.e+]* us |' "$dir/node.md" &&
		grep -q '^| 4 | 16 | combine | compact | 2 |' "$dir/node.md" &&
		return
	cat "$dir/node.md"
	return 1
}
if command -v python3 >/dev/null; then
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	PYTHONDONTWRITEBYTECODE=1
	export PYTHONDONTWRITEBYTECODE
	mkdir -p "$dir/nccl/lib" "$dir/nvshmem/lib"
	: >"$dir/nccl/lib/libnccl.so.2"
	: >"$dir/nvshmem/lib/libnvshmem_host.so.3"
	: >"$dir/nvshmem/lib/libnvshmem_device.a"
	try sweep
	try node
fi

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
