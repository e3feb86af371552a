#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The primitives of arch_amdgpu.h carry the cache bits and waits that the memory
# model of each generation demands; and the check finds what lacks them.
set -u
. "$SRCDIR/tests/asm/lib.sh"
failed=0
rules=primitives.rules

for arch in $archs; do
	if ! read_kernels "$arch" "$asm/primitives.hip"; then
		failed=1
		continue
	fi
	check "$arch" "$work/$arch.k" || failed=1
	case $(generation "$arch") in
	gfx9a)
		mutate "$arch" 'a load without glc' '/^load64 /s/ glc//'
		mutate "$arch" 'no write-back' '/buffer_wbl2/d'
		mutate "$arch" 'no invalidation' '/buffer_invl2/d'
		mutate "$arch" 'no wait' '/^release_idle s_waitcnt vmcnt/d' ;;
	gfx94)
		mutate "$arch" 'a store for this device' '/^store64 /s/ sc1//'
		mutate "$arch" 'a near write-back' '/^release /s/wbl2 sc0 /wbl2 /'
		mutate "$arch" 'a near invalidation' '/^acquire /s/inv sc0 /inv /'
		mutate "$arch" 'no wait' '/^release_idle s_waitcnt vmcnt/d' ;;
	gfx11)
		mutate "$arch" 'a load without glc' '/^load64 /s/ glc//'
		mutate "$arch" 'no invalidation' '/buffer_gl1_inv/d'
		mutate "$arch" 'no wait' '/^put_flag s_waitcnt_vscnt/d' ;;
	gfx12)
		mutate "$arch" 'a store for this device' '/^store64 /s/ scope.*//'
		mutate "$arch" 'no write-back' '/global_wb/d'
		mutate "$arch" 'no wait' '/^release_idle s_wait_storecnt/d' ;;
	esac
	mutate "$arch" 'halves' '/^copy128 /s/(dwordx4|b128)/half/'
	mutate "$arch" 'flat memory' '/^load64 /s/global_/flat_/'
	mutate "$arch" 'a spill' '/^full ;ScratchSize/s/ 0$/ 16/'
	mutate "$arch" 'a barrier' '/^wave_meets ;instr/s/.*/wave_meets s_barrier/'
	mutate "$arch" "a wave's barrier" '/^thread_waits ;Scr/s/;.*/;wave_barrier 1/'
	echo "$arch: $(grep -c ';instructions' "$work/$arch.k") kernels read"
done
exit $failed
