#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Several programs in one job.
. "${SRCDIR:-.}/tests/lib.sh"
run 0 -n 2 "$CLIENT" keys : -np 1 "$CLIENT" keys
lines out 3 'JOB_SIZE=3$'
lines out 3 'JOB_NUM_APPS=2$'
lines out 1 '^0 APPNUM=0$'
lines out 1 '^1 APPNUM=0$'
lines out 1 '^2 APPNUM=1$'
run 64 -n 2 true : true
one_line 'needs -n N'
run 64 -n 2 true :
one_line 'expected a program'
run 127 -n 2 true : -n 1 no-such-program-here
one_line 'not found'
finish
