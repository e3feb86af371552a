#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A terminal's input reaches PE 0, and control-C ends the job.
. "${SRCDIR:-.}/tests/lib.sh"
command -v script >/dev/null || skip "script(1) is not installed"
{ sleep 0.5; echo hello; sleep 0.2; printf '\004'; } |
	timeout 20 script -qec "env $mark '$OSHRUN' -n 2 cat" /dev/null \
	>"$dir/out" 2>"$dir/err" || fail "exit code $?"
lines out 2 'hello'
{ sleep 0.5; printf '\003'; sleep 1; } |
	timeout 20 script -qec "env $mark '$OSHRUN' -n 2 sleep 50" /dev/null \
	>"$dir/out" 2>"$dir/err"
[ $? = 130 ] || fail "control-C: expected exit code 130"
finish
