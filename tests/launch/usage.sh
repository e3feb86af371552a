#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Misuse: exit code 64 and one clear line.
. "${SRCDIR:-.}/tests/lib.sh"
for n in 0 -1 abc 4x "" 99999999999999999999 65536; do
	run 64 -n "$n" true
	one_line "expected a number of PEs"
	run 64 -np "$n" true
	one_line "expected a number of PEs"
done
run 64 -np
one_line "expected a number of PEs"
run 64 -n 2
one_line "expected a program"
run 64
one_line "expected a program"
run 64 --no-such-option true
lines err 1 "unrecognized option"
for o in --bind=x --map-by=x --timeout=x --timeout=0 --timeout=-1 -x= -x=a; do
	run 64 -n 1 "$o" true
	one_line "expected"
done
run 64 -n 1 : true
one_line 'expected a program before ":"'
run 64 -n 1 --wdir "$dir/missing" true
one_line "No such file or directory"
run 0 --version
lines out 1 '^oshrun \(.+\) [0-9]'
run 0 --help
lines out 1 '^Usage: '
for o in "-n 2" "-n2" "-np 2" "--np 2" "--np=2"; do
	run 0 $o echo x
	lines out 2 '^x$'
done
# Options after the program are the program's.
run 0 -n 1 printf '%s,' -n 3 --version
lines out 1 '^-n,3,--version,$'
finish
