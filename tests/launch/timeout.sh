#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --timeout ends the job with 124 and a line, also if the PEs ignore TERM.
. "${SRCDIR:-.}/tests/lib.sh"
run 124 -n 2 --timeout 0.2 sleep 50
one_line '^oshrun: timeout after 0.2 s'
run 124 -n 2 --timeout 0.2 sh -c 'trap "" TERM; sleep 50; sleep 50'
one_line '^oshrun: timeout after 0.2 s'
run 0 -n 2 --timeout 30 true
run 0 -n 1 --timeout 1e6 true
finish
