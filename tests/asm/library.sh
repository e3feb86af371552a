#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A library with AMD's platform in it links to AMD's runtime; on a machine
# without a GPU it takes the platform cpu, or says in one line that there is
# none where one is asked for.
set -u
library=$BUILDDIR/.libs/libsirocco.so
info=$BUILDDIR/src/tools/shmem_info
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
unset SHMEM_PLATFORM
said=$("$info" 2>&1) || exit 1
echo "$said" | grep -i platform
echo "$said" | grep -qi 'platform.*cpu' || exit 1
export SHMEM_PLATFORM=hip
said=$("$info" 2>&1) && exit 1
echo "$said"
[ "$(echo "$said" | grep -c '^sirocco: .*SHMEM_PLATFORM=hip: .*no device')" = 1 ]
