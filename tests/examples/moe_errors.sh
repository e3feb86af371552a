#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is wrong is said once, by PE 0, and the job fails.
. "${SRCDIR:-.}/tests/lib.sh"
moe=$examples/moe_exchange
make_text 20 >"$dir/text"

# wrong CODE PATTERN ARGS...
wrong() {
	code=$1 pattern=$2
	shift 2
	for n in 1 3; do
		run "$code" -n "$n" "$moe" "$@"
		lines err 1 "$pattern"
		lines out 0 .
	done
}

wrong 64 "unrecognized option '--bogus'" --bogus
wrong 64 "expected one file, got '/tmp'" "$dir/text" /tmp
wrong 64 "experts: expected a number from 1 to 4096, got '0'" --experts=0
wrong 64 "experts: expected a number from 1 to 4096, got '3x'" --experts=3x
wrong 64 "top-k: expected a number from 1 to 64, got '-1'" --top-k=-1
wrong 64 "hidden: expected a number from 1 to 1024, got '1025'" --hidden=1025
wrong 64 "repeat: expected a number from 1 to 1000000, got ''" --repeat=
wrong 64 "seed: expected a number from 0, got '-1'" --seed=-1
wrong 64 'top-k=4 is more than --experts=3' --experts=3 --top-k=4
wrong 1 'cannot read /no/file: No such file .*name a text file' /no/file
wrong 1 'cannot read /: Is a directory' /
wrong 1 '/dev/null holds no words' /dev/null
printf ' \n\t\n' >"$dir/blank"
wrong 1 'blank holds no words' "$dir/blank"

# Symmetric memory that is too small for the text.
SHMEM_SYMMETRIC_SIZE=1M
export SHMEM_SYMMETRIC_SIZE
make_text 300000 >"$dir/large"
run 1 -n 2 "$moe" "$dir/large"
grep -q 'set SHMEM_SYMMETRIC_SIZE' "$dir/err" || fail 'no advice'
