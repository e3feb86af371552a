#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs on two hosts by Open MPI's mpirun.
. "${SRCDIR:-.}/tests/launch/other.sh"
command -v mpirun >/dev/null || skip "mpirun is not installed"
mpirun --version 2>/dev/null | grep -q 'Open MPI' ||
	skip "mpirun is not Open MPI's"
first=a
second=b
host_var=SIROCCO_TEST_HOST
launcher=mpirun
exit_9=9
exit_kill=137
killed_says='rank 3 .* on node b exited on signal 9'
lost_says='Remote daemon: .* on node b'
daemon_of() {
	ps -o ppid= -p "$1" | tr -d ' '
}
rsh_agent
export OMPI_MCA_plm_rsh_agent="$dir/rsh" PRTE_MCA_plm_ssh_agent="$dir/rsh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
other_launcher
finish
