#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The helpers of order.h, by scope: every wave releases and waits before its
# work-group meets, then come flags; a flag that was seen invalidates before the
# payload; packets stay whole. And the check finds what lacks one of these.
set -u
. "$SRCDIR/tests/asm/lib.sh"
need_hip
failed=0
rules=order.rules
meets='wg_(payload_flag|put_flag|quiet_puts|quiet|fence|leave|idle_flag)'

for arch in $archs; do
	if ! read_kernels "$arch" "$asm/order.hip"; then
		failed=1
		continue
	fi
	check "$arch" "$work/$arch.k" || failed=1
	case $(generation "$arch") in
	gfx9a)
		wait='s_waitcnt vmcnt\(0\)'
		mutate "$arch" 'no write-back' '/^wg_fence buffer_wbl2/d'
		mutate "$arch" 'no invalidation' '/^wg_flag_.* buffer_invl2/d' ;;
	gfx94)
		wait='s_waitcnt vmcnt\(0\)'
		mutate "$arch" 'a near write-back' '/^wg_fence /s/wbl2 sc0 /wbl2 /'
		mutate "$arch" 'a near invalidation' '/^wg_flag_/s/inv sc0 /inv /'
		mutate "$arch" 'a packet in a cache' \
			'/^thread_packet_await /s/ sc0 sc1$//' ;;
	gfx11)
		wait='s_waitcnt_vscnt null, 0x0'
		mutate "$arch" 'no invalidation' '/^wg_flag_.* buffer_gl1/d' ;;
	gfx12)
		wait='s_wait_storecnt 0x0'
		mutate "$arch" 'no write-back' '/^wg_fence global_wb/d'
		mutate "$arch" 'no invalidation' '/^wg_flag_.*SCOPE_SYS/d' ;;
	esac
	for kernel in wg_payload_flag wg_put_flag wg_idle_flag wg_leave \
		wave_put_flag thread_flag_store; do
		mutate "$arch" "no wait in $kernel" "/^$kernel $wait/d"
	done
	mutate "$arch" 'no meeting' '/^wg_put_flag s_barrier/d'
	mutate "$arch" 'a meeting too many' '/^wave_fence ;Scr/s/;.*/s_barrier/'
	mutate "$arch" 'a packet in halves' \
		'/^thread_packet_send /s/(dwordx4|b128)/half/'
	mutate "$arch" 'a packet read once' '/^thread_packet_await s_c?branch/d'
	echo "$arch: $(grep -c ';instructions' "$work/$arch.k") kernels read"
done
exit $failed
