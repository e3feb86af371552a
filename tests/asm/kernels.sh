#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library's own kernels compile for every architecture of AMD's that the
# compiler knows, without warnings, whatever was configured.
set -u
. "$SRCDIR/tests/asm/lib.sh"
need_hip
failed=0

for arch in $archs; do
	if ! compile "$arch" -O1 -Werror -c -o "$work/kernels.o" \
		"$SRCDIR/src/device/kernels_gpu.hip"; then
		failed=1
		continue
	fi
	echo "$arch: compiled"
done
exit $failed
