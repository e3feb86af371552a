#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kill -9 of oshrun at any moment of its start leaves nothing behind.
. "${SRCDIR:-.}/tests/lib.sh"
for ms in 000 002 005 010 015 020 025 030 040 050 060 080; do
	oshrun_bg -n 8 sleep 60 >"$dir/out" 2>"$dir/err" &
	pid=$!
	sleep 0.$ms
	kill -9 $pid
	wait $pid
	wait_for no_process
	wait_for no_file
done
finish
