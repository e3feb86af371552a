#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Kernels' atomics on host memory, made by threads of the proxy where the
# platform asks for that, and natively: with one heap for all and with a
# device's too, with checks, and beside PEs that are out of reach.
. "${SRCDIR:-.}/tests/lib.sh"

SHMEM_HOST_ATOMICS=native
export SHMEM_HOST_ATOMICS
run 0 -n 2 "$top/tests/gpu/host_atomics"
lines out 1 'host memory are native$'

SHMEM_HOST_ATOMICS=proxy
for n in 1 2 3 8; do
	run 0 -n $n "$top/tests/gpu/host_atomics"
	lines out 1 "host memory are the proxy's$"
done
for program in amo fuzz order put_signal signal stream_rma; do
	run 0 -n 3 "$top/tests/gpu/$program"
done
run 0 -n 2 env SHMEM_CHECK=1 "$top/tests/gpu/host_atomics"
for setting in SHMEM_CPU_HOST_ACCESS=yes SHMEM_CPU_HOST_ACCESS=no \
	SHMEM_PROXY_THREADS=3; do
	for program in fuzz host_atomics stream_rma; do
		run 0 -n 2 env SHMEM_DEVICE_HEAP_SIZE=64M $setting \
			"$top/tests/gpu/$program"
	done
done
if grep -q '^#define HAVE_UCX 1' "$top/config.h"; then
	on_nodes 2 4 gpu/host_atomics gpu/fuzz
	on_nodes 2 3 gpu/amo gpu/put_signal
fi
finish
