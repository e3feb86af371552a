#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Kernels with one call of the device API: cache bits and waits reach the code,
# no registers spill, threads and waves meet no work-group. Prints registers.
set -u
. "$SRCDIR/tests/asm/lib.sh"
need_hip
failed=0

for arch in $archs; do
	if ! compile "$arch" -S -o "$work/$arch.s" "$asm/api.hip"; then
		failed=1
		continue
	fi
	awk -f "$asm/kernels.awk" "$work/$arch.s" >"$work/$arch.k"
	awk -v "gen=$(generation "$arch")" -v scratch=64 -v generic=1 \
		-f "$asm/check.awk" "$asm/api.rules" "$work/$arch.k" || failed=1
	echo "$arch: instructions, scalar and vector registers, scratch"
	awk '$2 == ";instructions" { n[$1] = $3; order[++count] = $1 }
		$2 ~ /Sgprs/ { s[$1] = $3 }
		$2 == ";NumVgprs" { v[$1] = $3 }
		$2 == ";ScratchSize" { m[$1] = $3 }
		END { for (i = 1; i <= count; i++) { k = order[i]
			printf "  %-40s %5d %4d %4d %4d\n", k, n[k], s[k],
				v[k], m[k] } }' "$work/$arch.k"
done
exit $failed
