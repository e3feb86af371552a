#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A library with AMD's platform in it links to AMD's runtime, and a machine
# without a GPU takes the platform cpu.
set -u
library=$BUILDDIR/.libs/libsirocco.so
if ! grep -q 'SIROCCO_GPU_PLATFORM shmemg_hip' "$BUILDDIR/config.h"; then
	echo "not configured --with-hip"
	exit 77
fi
if ! readelf -d "$library" | grep 'NEEDED.*libamdhip64'; then
	echo "$library does not need libamdhip64"
	exit 1
fi
if [ -e /dev/kfd ]; then
	echo "a GPU is here"
	exit 77
fi
info=$("$BUILDDIR/src/tools/shmem_info" 2>&1) || exit 1
echo "$info" | grep -i platform
echo "$info" | grep -qi 'platform.*cpu'
