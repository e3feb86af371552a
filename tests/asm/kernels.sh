#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library's own kernels compile for every architecture of AMD's that the
# compiler knows, without warnings, whatever was configured; after each
# write-back they wait. Those of MoE exchanges keep their registers: only what
# calls the collectives between nodes has memory, for return addresses.
# AMD_ASSEMBLY names a directory where -save-temps has left them compiled.
set -u
. "$SRCDIR/tests/asm/lib.sh"
need_hip
failed=0

# assembly ARCH SOURCE OPTION: of a source, as $work/kernels.s
assembly() {
	if [ "${AMD_ASSEMBLY-}" ]; then
		cp "$AMD_ASSEMBLY/$2-hip"*"-$1.s" "$work/kernels.s"
	else
		compile "$1" "$3" -Werror -S -o "$work/kernels.s" \
			"$SRCDIR/src/device/$2.hip"
	fi
}

# waits ARCH SOURCE OPTION: whether it compiles, to $work/kernels.k, and waits.
waits() {
	assembly "$@" || return 1
	awk -f "$asm/kernels.awk" "$work/kernels.s" >"$work/kernels.k"
	awk -v "gen=$(generation "$1")" -f "$asm/flow.awk" "$work/kernels.k"
}

# keeps ARCH KERNELS: whether no kernel of MoE exchanges spills to memory, nor
# what they call to post and to copy. By what touches memory: some is set aside
# for scalars too, even if all of these then lie in lanes of registers.
keeps() {
	awk -v "arch=$1" '
		$1 ~ /^_Z[0-9]+(gda|proxy|shmemd_copy)_/ &&
				$2 == ";ScratchSize" && $3 > 0 {
			bad()
		}
		$1 !~ /^shmemd_gpu_moe_/ { next }
		$2 == ";vgpr_spill_count" {
			kernels++
			if ($3 > 0)
				bad()
		}
		$1 ~ /_(plan|ready)$/ { next }
		$2 ~ /^scratch_/ || $0 ~ / buffer_(load|store)_dword.* s\[/ {
			bad()
		}
		function bad() {
			print "  " arch ": a spill: " $0
			failed = 1
		}
		END { exit failed || !kernels }' "$2"
}

for arch in $archs; do
	waits "$arch" kernels_gpu -O1 || failed=1
	waits "$arch" moe_gpu -O3 && keeps "$arch" "$work/kernels.k" || failed=1
	sed -E '/^shmemd_gpu_moe_push ;vgpr_spill/s/ 0$/ 1/' \
		"$work/kernels.k" >"$work/mutant.k"
	if keeps "$arch" "$work/mutant.k" >"$work/log"; then
		echo "  $arch: the check does not see a spill"
		failed=1
	fi
	echo "$arch: compiled"
done
exit $failed
