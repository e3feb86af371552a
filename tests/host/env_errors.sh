#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A SHMEM_ variable that is malformed or unknown ends the job with one line
# that names it, its value and what was expected.
. "${SRCDIR:-.}/tests/lib.sh"
limit=20

bad() {
	for n in 1 2; do
		job -n $n env "$1" "$bin/plain"
		got=$?
		[ $got = 1 ] || fail "$1, $n PEs: exit code $got, not 1"
		hits=$(grep -c "^sirocco: .*${1%%=*}" "$dir/err")
		[ "$hits" -ge 1 ] && [ "$hits" -le $n ] ||
			fail "$1, $n PEs: $hits lines"
		[ "$(grep -c '^sirocco: ' "$dir/err")" = "$hits" ] ||
			fail "$1, $n PEs: more lines than one a PE"
		grep -q "^sirocco: .*expected" "$dir/err" ||
			fail "$1: it does not say what was expected"
	done
}

bad SHMEM_SYMMETRIC_SIZE=banana
bad SHMEM_SYMMETRIC_SIZE=-1
bad SHMEM_SYMMETRIC_SIZE=
bad SHMEM_CHECK=perhaps
bad SHMEM_TIMEOUT=0
bad SHMEM_TIMEOUT=1x
bad SHMEM_SPIN=-2
bad SHMEM_STATIC=maybe
bad SHMEM_HUGE_PAGES=7
bad SHMEM_BARRIER_ALGORITHM=magic
bad SHMEM_DEBUG=everything
bad SHMEM_NODE_SIZE=many
bad SHMEM_NT_THRESHOLD=x
bad SHMEM_NO_SUCH_THING=1

# Those that are right, in odd forms; SHMEM_ wins over SMA_.
good() {
	job -n 2 env "$@" "$bin/plain" static
	got=$?
	[ $got = 0 ] || fail "$*: exit code $got"
	says 0 .
}

good SHMEM_SYMMETRIC_SIZE=3.5M
good SHMEM_SYMMETRIC_SIZE=4000kk
good SMA_SYMMETRIC_SIZE=4m
good SMA_SYMMETRIC_SIZE=banana SHMEM_SYMMETRIC_SIZE=4m
good SHMEM_STATIC=YES
good SHMEM_BARRIER_ALGORITHM=central
good SHMEM_BARRIER_ALGORITHM=dissemination
good SHMEM_SPIN=0
good SHMEM_NT_THRESHOLD=0
good SHMEM_HUGE_PAGES=no
good SHMEM_CHECK=on
run 0 -n 2 env SHMEM_VERSION=1 "$bin/plain"
lines out 1 '^Sirocco .*OpenSHMEM 1\.6'
run 0 -n 2 env SHMEM_INFO=1 "$bin/plain"
lines out 1 'SHMEM_SYMMETRIC_SIZE'
finish
