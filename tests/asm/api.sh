#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Kernels with one call of the device API: cache bits and waits reach the code,
# work-groups meet with no stores under way, no registers spill, scopes have
# their own barriers alone. Prints what registers the calls take.
set -u
. "$SRCDIR/tests/asm/lib.sh"
need_hip
failed=0
rules=api.rules
# Of these collectives alone call functions that call others. Scalars are kept
# over a call that is for far members alone (alltoall, barrier), and over the
# wait for places when a NIC's ring is full (put_signal): gda.sh sees to it that
# posts themselves keep all in registers.
options='-v generic=1 -v stack=w[a-z]*_(barrier_all|alltoall|sum)'
options="$options|_Z.*shmemd_(far|reduce|exchange_pieces)_.*"
options="$options -v calls=wg_alltoall|w[a-z]*_(barrier_all|put_signal)"
meets='wg_put|wg_put_signal'

for arch in $archs; do
	if ! read_kernels "$arch" "$asm/api.hip"; then
		failed=1
		continue
	fi
	check "$arch" "$work/$arch.k" || failed=1
	mutate "$arch" 'no wait' \
		'/^wg_put_signal s_wait(cnt vmcnt\(0\)$|cnt_vscnt|_storecnt)/d'
	mutate "$arch" 'a spill' '/^thread_p ;ScratchSize/s/ 0$/ 8/'
	mutate "$arch" 'a spilled register' '/^wg_sum ;sgpr_spill/s/ 0$/ 1/'
	mutate "$arch" 'a meeting' '/^thread_p ;ScratchSize/s/;.*/s_barrier/'
	mutate "$arch" 'no meeting' '/^wg_barrier_all s_barrier/d'
	echo "$arch: instructions, scalar and vector registers, scratch"
	awk '$2 == ";instructions" { n[$1] = $3; order[++count] = $1 }
		$2 ~ /;.*NumSgprs/ { s[$1] = $3 }
		$2 == ";NumVgprs" { v[$1] = $3 }
		$2 == ";ScratchSize" { m[$1] = $3 }
		END { for (i = 1; i <= count; i++) { k = order[i]
			printf "  %-40s %5d %4d %4d %4d\n", k, n[k], s[k],
				v[k], m[k] } }' "$work/$arch.k"
done
exit $failed
