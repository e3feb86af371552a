#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Rows by waves of 32 and of 64 work-items.
. "${SRCDIR:-.}/tests/lib.sh"
for wave in 32 64; do
	SHMEM_CPU_WAVE=$wave
	export SHMEM_CPU_WAVE
	run 0 -n 1 "$top/tests/moe/row"
done
finish
