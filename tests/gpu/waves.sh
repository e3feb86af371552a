#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Waves of 32 and of 64 work-items: both sizes of what depends on them.
. "${SRCDIR:-.}/tests/lib.sh"
for wave in 32 64; do
	SHMEM_CPU_WAVE=$wave
	export SHMEM_CPU_WAVE
	for program in barrier coll_broadcast edges fuzz order signal; do
		run 0 -n 2 "$top/tests/gpu/$program"
	done
done
finish
