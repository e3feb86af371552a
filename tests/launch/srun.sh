#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs on two nodes by Slurm's srun.
. "${SRCDIR:-.}/tests/launch/other.sh"
. "$SRCDIR/tests/launch/slurm.sh"
missing=$(slurm_missing)
[ -z "$missing" ] || skip "$missing"
slurm_pids=
trap slurm_down EXIT
slurm_up
srun --mpi=list 2>&1 | grep -q pmix || skip "srun has no PMIx plugin"
first=n0
second=n1
host_var=SLURMD_NODENAME
launcher=srun
# The highest, and the other PEs get TERM.
exit_9=143
exit_kill=143
killed_says='n1: task 3: Killed'
lost_says='PE [01]: PE [123] on n[01] has ended the job'
daemon_of() {
	ps -o ppid= -p "$1" | tr -d ' '
}
other_launcher
finish
