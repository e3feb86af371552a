#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The exit code is that of the first PE that failed, and one line says so.
. "${SRCDIR:-.}/tests/lib.sh"
run 0 -n 4 true
[ -s "$dir/err" ] && fail "noise on success"
run 9 -n 4 sh -c '[ $PMIX_RANK = 2 ] && exit 9; exec sleep 50'
one_line '^oshrun: PE 2 \(pid [0-9]+, host .+\) exited with status 9;'
run 4 -n 4 sh -c 'exit 4'
one_line 'exited with status 4'
run 5 -n 3 "$CLIENT" leave 5
lines err 1 '^oshrun: PE 2 .* exited with status 5; ending the job'
# Its peers wait in a fence: status 0 without finalize is a failure.
run 1 -n 3 "$CLIENT" leave 0
one_line 'PE 2 .* exited with status 0 but did not finalize; ending the job'
finish
