#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs start under Open MPI's mpirun as well.
. "${SRCDIR:-.}/tests/lib.sh"
command -v mpirun >/dev/null || skip "no mpirun"
mpirun --version 2>/dev/null | grep -q 'Open MPI\|OpenRTE' ||
	skip "mpirun is not Open MPI's"
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
OSHRUN=mpirun
for test in plain hello reduce signal init_again lock fork; do
	run 0 --oversubscribe -n 4 "$bin/$test"
done
job --oversubscribe -n 3 "$bin/ending" barrier 7
[ $? != 0 ] || fail "shmem_global_exit: exit code 0"
# mpirun leaves its session directory behind when it is in a hurry.
rm -rf "$dir"/tmp/ompi.* "$dir"/tmp/pmix* "$dir"/tmp/openmpi*
finish
