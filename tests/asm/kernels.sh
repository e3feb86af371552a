#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library's own kernels compile for every architecture of AMD's that the
# compiler knows, without warnings, whatever was configured; after each
# write-back they wait.
set -u
. "$SRCDIR/tests/asm/lib.sh"
need_hip
failed=0

for arch in $archs; do
	if ! compile "$arch" -O1 -Werror -S -o "$work/kernels.s" \
		"$SRCDIR/src/device/kernels_gpu.hip"; then
		failed=1
		continue
	fi
	awk -f "$asm/kernels.awk" "$work/kernels.s" |
		awk -v "gen=$(generation "$arch")" -f "$asm/flow.awk" || failed=1
	echo "$arch: compiled"
done
exit $failed
