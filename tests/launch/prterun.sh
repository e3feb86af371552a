#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs on two hosts by PRRTE's prterun: that in PATH or named by PRTERUN.
. "${SRCDIR:-.}/tests/launch/other.sh"
launcher=${PRTERUN:-prterun}
path=$(command -v "$launcher") || skip "prterun is not installed"
first=a
second=b
host_var=SIROCCO_TEST_HOST
exit_9=9
exit_kill=137
killed_says='rank 3 .* on node .* exited on'
lost_says='Remote daemon: .* on node'
daemon_of() {
	ps -o ppid= -p "$1" | tr -d ' '
}
# It loses values of megabytes now and then, and start-up has none.
boot_modes='reopen staggered'
rsh_agent
# Python's package of it does not know where it is installed.
prefix=${path%/bin/prterun}
if [ "$prefix" != /usr ]; then
	export PRTE_PREFIX="${PRTE_PREFIX-$prefix}"
	export PMIX_PREFIX="${PMIX_PREFIX-$prefix}"
fi
timeout 20 "$launcher" --version >"$dir/out" 2>&1 || skip "prterun does not run"
head -n 1 "$dir/out"
export PRTE_MCA_plm_ssh_agent="$dir/rsh"
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
other_launcher
finish
