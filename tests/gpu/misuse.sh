#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Misuse by kernels, with SHMEM_CHECK=1: the kernel ends, and one line of the
# PE's next call names the routine, the work-group, the argument, the value and
# what was expected. And platforms that are not there.
. "${SRCDIR:-.}/tests/lib.sh"
gpu=${GPU_TESTS:-$top/tests/gpu}
suffix=${GPU_SUFFIX:-}
limit=40
SHMEM_CHECK=1
export SHMEM_CHECK

# mistake NAME PATTERN: what the last PE says.
mistake() {
	for n in 1 3; do
		run_fails -n $n "$gpu/misuse$suffix" "$1"
		[ $got = 1 ] || fail "$1: exit code $got, not 1"
		lines err 0 unnoticed
		says 1 "^sirocco: PE $((n - 1)): $(echo "$2" | sed "s/@N/$n/")"
	done
}

run 0 -n 3 "$gpu/misuse$suffix" none
wg1='in work-group 1: '
any='in work-group [01]: '
mistake pe_high "shmem_long_p $wg1"'pe is @N, expected'
mistake pe_negative_wg "shmemx_long_put_wg $any"'pe is -3, expected'
mistake pe_amo "shmem_long_atomic_inc $wg1"'pe is -3, expected'
mistake pe_signal_wave "shmemx_putmem_signal_wave $any"'pe is @N, expected'
mistake pe_ctx "shmem_ctx_long_g $wg1"'pe is 1000, expected'
mistake local_dest "shmem_long_put $wg1"'[a-z]+ is 0x[0-9a-f]+, expected'
mistake local_amo "shmem_long_atomic_fetch_add $wg1"'[a-z]+ is 0x.*, expected'
mistake past_end "shmem_putmem $wg1"'.*expected'
mistake misaligned "shmem_long_atomic_inc $wg1"'[a-z]+ is 0x.*4, .*aligned'
mistake team_invalid_number "shmem_team_sync $wg1"'team is 0x4d, expected'
mistake team_destroyed "shmemx_team_sync_wg $any"'team is 0x.*, expected'
mistake ctx_destroyed "shmem_ctx_long_p $wg1"'ctx is 0x.*, expected'
mistake ctx_of_gone_team "shmem_ctx_long_p $wg1"'ctx is 0x.*, expected'
mistake ctx_invalid "shmem_ctx_long_atomic_inc $wg1"'ctx is 0x0, expected'
mistake bad_cmp "shmem_long_wait_until $wg1"'cmp is 0x2a, expected'
mistake waits_in_vain "shmem_long_p $wg1"'pe is @N, expected'
mistake bad_root "shmemx_long_broadcast_wg .*PE_root is 0x@N, expected"
mistake collect_in_place "shmemx_long_collect_wg $any"'dest: overlaps source|.*overlap'
counts() {
	mistake counts_small "shmemx_alltoallvmem_wg in work-group 0: dest_nelems is 7, expected the source_nelems 5 of PE 0"
	mistake counts_large "shmemx_alltoallvmem_wave in work-group 0: dest_nelems is 30000, expected the source_nelems 20000 of PE 0"
	mistake counts_mixed "shmemx_alltoallvmem_wg in work-group 0: dest_nelems is 7, expected the source_nelems 20000 of PE 0"
	mistake counts_grid "shmemx_alltoallvmem_grid in work-group 0: dest_nelems is 30000, expected the source_nelems 20000 of PE 0"
	mistake rows_beyond "shmemx_alltoallv_2d_grid in work-group 0: dest_rows is 1, expected at least 2"
}
counts
mistake stream_no_team 'shmemx_team_sync_on_stream: team is 0x63, expected'
mistake stream_collect_in_place 'shmemx_long_collect_on_stream: dest .* overlap'
mistake stream_put_null 'shmemx_long_put_on_stream: source is NULL, expected'
mistake stream_get_null 'shmemx_long_get_on_stream: dest is NULL, expected'
mistake stream_put_signal_null 'shmemx_long_put_signal_on_stream: source is NULL'

# What kernels notice anyhow is told by who waits for them, without it as well.
SHMEM_CHECK=0
mistake pe_high "shmem_long_p $wg1"'pe is @N, expected'
mistake local_amo "shmem_long_atomic_fetch_add $wg1"'[a-z]+ is 0x.*, expected'
counts

# What was asked for is not there: each PE, or the one that looks, says so.
for wrong in SHMEM_PLATFORM=teapot SHMEM_GPU=1000 SHMEM_GPU=-2; do
	case $wrong in
	SHMEM_GPU=1000) [ "$suffix" ] || continue ;;
	esac
	run_fails -n 2 env "$wrong" "$gpu/misuse$suffix" none
	[ "$(grep -c -v -e '^sirocco: ' -e '^oshrun: ' "$dir/err")" = 0 ] || fail "$wrong"
	grep -q "^sirocco: .*${wrong%%=*}" "$dir/err" || fail "$wrong: no word"
done
if [ -z "$suffix" ]; then
	for wrong in hip cuda; do
		job -n 1 env SHMEM_PLATFORM=$wrong "$gpu/misuse" none
		[ $? != 0 ] || continue
		grep -q "^sirocco: .*$wrong" "$dir/err" || fail "$wrong: no word"
	done
fi
# Last: the end of the job takes kernels with it that still run, and a GPU that
# PEs share may need a moment after that.
SHMEM_CHECK=1
mistake host_in_barrier "shmem_long_p $wg1"'pe is @N, expected'
finish
