#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# NICs that fail under kernels: the context says so to kernels and host, in one
# line with PE, NIC and the NIC's code in words; nothing hangs, finalize works;
# or the job ends, if that was asked for.
. "${SRCDIR:-.}/tests/gda/lib.sh"
SHMEM_PLATFORM=cpu
SHMEM_NODE_SIZE=1
export SHMEM_PLATFORM SHMEM_NODE_SIZE
errors=$top/tests/gda/errors
limit=60

# with FAULT MODE [ERROR]
pes=2
with() {
	NIC_FAULT=$1
	export NIC_FAULT
	[ -n "$1" ] || unset NIC_FAULT
	shift
	run 0 -n $pes "$errors" "$@"
	sed "s/^/$SHMEM_GDA: /" "$dir/out" "$dir/err"
}

# enum ibv_wc_status and what becomes of it: SHMEMX_ERROR_*.
for kind in verbs mlx5 bnxt_re ionic; do
	nic $kind
	with '' fails 0
	lines err 0 failed
	with error:3:12 fails 1
	lines err 1 'PE 0: context [0-9]+ has failed, to PE 1 on .*:1: .*retr'
	with error:3:10 fails 2
	lines err 1 'has failed, to PE 1 on .*:1: .*remote access'
	with error:3:4 fails 3
	# Its queue completes nothing any more, which the NIC does not say.
	SHMEM_TIMEOUT=2
	SHMEM_GDA_TIMEOUT=1
	export SHMEM_TIMEOUT SHMEM_GDA_TIMEOUT
	with drop:3 fails 1
	lines err 1 'failed, to PE 1 on .*:1: queue pair [0-9]+ completes noth'
	with drop:3 default 1
	with '' unseen 4
	lines err 0 failed
	unset SHMEM_TIMEOUT SHMEM_GDA_TIMEOUT
	with port_down:3 all 1
	lines err 1 'PE 0: context [0-9]+ has failed, .*:1: (port|retries)'
	with error:3:12 default 1
	lines err 2 'context [0-9]+ has failed'
	SHMEM_NODE_SIZE=2
	pes=4
	with error:5:12 default 1
	lines err 4 'context [0-9]+ has failed'
	unset NIC_FAULT
	run 0 -n 4 sh -c 'case $PMIX_RANK in
		2) export NIC_FAULT=error:5:12 ;;
		esac
		exec "$0" default 1' "$errors"
	lines err 4 'context [0-9]+ has failed'
	lines err 3 'to PE 2 on .*: its own context has failed'
	SHMEM_NODE_SIZE=1
	pes=2
	SHMEM_GDA_ERRORS=abort
	NIC_FAULT=error:3:12
	export SHMEM_GDA_ERRORS NIC_FAULT
	run_fails -n 2 "$errors" fails 1
	lines err 1 'context [0-9]+ has failed, to PE 1'
	unset SHMEM_GDA_ERRORS
done
# PE 1 shows its memory in smaller pieces: a table that is longer hangs nobody.
unset NIC_FAULT
run 0 -n 2 sh -c 'case $PMIX_RANK in
	1) export SHMEM_GDA_REGION=16m ;;
	esac
	exec "$0" all 4' "$errors"
lines err 1 'PE 0: PE 1 on .* another way: .* by one SHMEM_GDA_REGION'
SHMEM_TIMEOUT=2
export SHMEM_TIMEOUT
with '' stopped 4
finish
