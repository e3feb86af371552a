#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Different executables in one job are refused, unless static data is not
# shared; then the heap works between them. Two processes of one executable
# under other names are the same.
. "${SRCDIR:-.}/tests/lib.sh"
limit=30
which='[ $PMIX_RANK = 0 ] && exec "$0" $2; exec "$1" $2'
run_fails -n 2 sh -c "$which" "$bin/plain" "$bin/plain_other" static
grep -q '^sirocco: PE [01]: PE [01] on .* another executable' "$dir/err" ||
	fail "it does not say that executables differ"
SHMEM_STATIC=no
export SHMEM_STATIC
run 0 -n 2 sh -c "$which" "$bin/plain" "$bin/plain_other" private
lines out 2 '^fine$'
run 0 -n 1 "$bin/plain" private : -n 2 "$bin/plain_other" private
lines out 3 '^fine$'
run 0 -n 3 "$bin/plain" private
lines out 3 '^fine$'
SHMEM_STATIC=yes
run 0 -n 3 "$bin/plain" static
cp "$bin/plain" "$dir/tmp/copy"
run 0 -n 2 sh -c "$which" "$bin/plain" "$dir/tmp/copy" static
rm "$dir/tmp/copy"
finish
