#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Platforms and sizes of heaps that can't be, or differ between PEs, are named
# in lines at init; what was taken is said on request.
. "$SRCDIR/tests/lib.sh"

export SHMEM_PLATFORM=cpu
run 0 -n 2 env SHMEM_DEBUG=init "$bin/hello"
lines err 2 'platform cpu: device 0 of 1'
unset SHMEM_PLATFORM

for platform in hip cuda; do
	built=$("$top/src/tools/shmem_info" | grep -c "^platform  *$platform")
	[ "$built" = 0 ] || continue
	run_fails -n 1 env SHMEM_PLATFORM=$platform "$bin/hello"
	lines err 1 "SHMEM_PLATFORM=$platform: there is no device"
done
run_fails -n 1 env SHMEM_PLATFORM=gpu "$bin/hello"
lines err 1 'SHMEM_PLATFORM="gpu": expected auto, cpu, hip or cuda'
run_fails -n 1 env SHMEM_PLATFORM=cpu SHMEM_GPU=1 "$bin/hello"
lines err 1 'SHMEM_GPU=1: platform cpu has 1 device'
run_fails -n 1 env SHMEM_CPU_WAVE=16 "$bin/hello"
lines err 1 'SHMEM_CPU_WAVE="16": expected 32 or 64'

export SHMEM_PLATFORM=cpu
for size in DEVICE HOST; do
	run_fails -n 1 env SHMEM_${size}_HEAP_SIZE=lots "$bin/hello"
	lines err 1 "SHMEM_${size}_HEAP_SIZE=\"lots\": expected auto, or a number"
	run_fails -n 2 sh -c "SHMEM_${size}_HEAP_SIZE=\$((1 + PMIX_RANK))m \
		exec $bin/hello"
	grep -q "PE [01]: PE [01] on .* another SHMEM_${size}_HEAP_SIZE" \
		"$dir/err" || fail "another SHMEM_${size}_HEAP_SIZE is not named"
done
gpu=$(SHMEM_PLATFORM=auto "$top/src/tools/shmem_info" |
	sed -n 's/^platform  *//p')
[ "$gpu" = cpu ] || {
	run_fails -n 2 sh -c "[ \$PMIX_RANK = 0 ] || SHMEM_PLATFORM=$gpu
		exec $bin/hello"
	grep -q "PE [01] on .* runs kernels on .*; expected one" "$dir/err" ||
		fail 'two platforms are not named'
}
run_fails -n 1 env SHMEM_DEVICE_HEAP_SIZE=4096t "$bin/hello"
lines err 1 "can't get .* bytes"
finish
