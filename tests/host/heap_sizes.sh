#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Symmetric sizes: more than there is memory works while little is touched,
# more than there are addresses is an error that names the variable, and so is
# one that differs between PEs; none at all leaves shmem_malloc with NULL.
. "${SRCDIR:-.}/tests/lib.sh"
limit=30
SHMEM_SYMMETRIC_SIZE=64g run 0 -n 3 "$bin/plain" static 60000
says 0 .
for size in 100000t 9000000t 4000000000g; do
	job -n 2 env SHMEM_SYMMETRIC_SIZE=$size "$bin/plain"
	got=$?
	[ $got = 1 ] || fail "$size: exit code $got, not 1"
	hits=$(grep -c '^sirocco: .*SHMEM_SYMMETRIC_SIZE' "$dir/err")
	[ "$hits" = 1 ] || [ "$hits" = 2 ] || fail "$size: $hits lines"
done
run_fails -n 3 sh -c \
	'SHMEM_SYMMETRIC_SIZE=$((PMIX_RANK + 1))m exec "$0"' "$bin/plain"
grep -q '^sirocco: PE [0-2]: PE [0-2] on .* another SHMEM_SYMMETRIC_SIZE' \
	"$dir/err" || fail "it does not say that sizes differ"
run 1 -n 2 env SHMEM_SYMMETRIC_SIZE=0 "$bin/plain"
lines err 2 'not true: heap'
finish
