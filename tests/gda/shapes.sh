#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Queues of other shapes: several to each PE, tiny and large rings, several
# NICs, memory in regions, memory of which the host can't touch the device's,
# queues that complete in any order, items that each post for themselves, NICs
# without atomics, uneven nodes. What depends on the format is tried with each.
. "${SRCDIR:-.}/tests/gda/lib.sh"

# with WORDS NODE_SIZE PES PROGRAM...: NAME=VALUE, by blanks, for these alone.
with() {
	words=$1
	shift
	# shellcheck disable=SC2163
	for word in $words; do
		export "$word"
	done
	by "$@"
	for word in $words; do
		unset "${word%%=*}"
	done
	nic "$kind"
}

for kind in mlx5 bnxt_re ionic; do
	nic $kind
	with "SHMEM_GDA_PLACES=16 SHMEM_CPU_GANGS=yes" 1 2 gpu/fuzz gpu/rma_put
	with "SHMEM_GDA_PLACES=16 SHMEM_GDA_QUEUES=16" 2 3 gpu/fuzz gpu/p_g
	with "SHMEM_GDA_PLACES=16" 1 2 gda/private
	with "NIC_FAULT=reorder SHMEM_CPU_GANGS=yes SHMEM_GDA_QUEUES=4" 2 4 \
		gpu/fuzz
	case $kind in
	mlx5)
		with "SHMEM_GDA_QUEUES=4 SHMEM_CPU_GANGS=yes" 1 2 gpu/order
		with "NIC_FAULT=reorder" 2 4 gpu/put_signal
		with "SHMEM_CPU_GANGS=yes" 3 8 gpu/reduce_bits
		with "NIC_DEVICES=mlx5:2 SHMEM_GDA_NICS_PER_PE=2
			SHMEM_GDA_QUEUES=2" 2 4 gpu/fuzz gpu/coll_alltoall
		;;
	bnxt_re)
		with "SHMEM_GDA_REGION=64k SHMEM_GDA_PLACES=4096" 1 2 \
			gpu/rma_get gpu/put_signal
		with "NIC_FAULT=atomics:65536" 1 2 gpu/amo
		with "NIC_FAULT=atomics_apart" 2 3 gpu/fuzz
		[ "$(total atomics)" = 0 ] || fail "atomics get lost updates"
		with "NIC_FAULT=atomics_apart SHMEM_NET_ATOMICS=device" 1 2 \
			gpu/fuzz
		[ "$(total atomics)" -gt 0 ] || fail "no NIC made atomics"
		;;
	ionic)
		# PE 1 has one NIC more.
		: >"$NIC_STATS"
		export SHMEM_NODE_SIZE=1
		run 0 -n 2 sh -c 'case $PMIX_RANK in
			1) export NIC_DEVICES=ionic:2 ;;
			esac
			SHMEM_GDA_NICS_PER_PE=2 exec "$0"' "$top/tests/gpu/fuzz"
		[ "$(total entries)" -gt 0 ] || fail "no NIC was used"
		with "SHMEM_CPU_HOST_ACCESS=no SHMEM_DEVICE_HEAP_SIZE=64M" 1 2 \
			gpu/amo gpu/rma_get gpu/put_signal
		;;
	esac
done
finish
