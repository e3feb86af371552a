#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kill -9 of a PE ends the job with 137.
. "${SRCDIR:-.}/tests/lib.sh"
oshrun_bg -n 3 sh -c 'echo $$ >"$0.$PMIX_RANK.new"
	mv "$0.$PMIX_RANK.new" "$0.$PMIX_RANK"; exec sleep 50' "$dir/pe" \
	>"$dir/out" 2>"$dir/err" &
pid=$!
wait_for test -e "$dir/pe.1"
victim=$(cat "$dir/pe.1")
kill -9 "$victim"
wait $pid
[ $? = 137 ] || fail "expected exit code 137"
one_line "^oshrun: PE 1 \(pid $victim, host .+\) killed by signal 9 \(Killed\)"
finish
