#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Closed standard descriptors are no reason to fail.
. "${SRCDIR:-.}/tests/lib.sh"
oshrun -n 2 sh -c 'cat; echo "done" >&2' <&- >"$dir/out" 2>"$dir/err" ||
	fail "exit code $?"
lines err 2 '^done$'
oshrun -n 2 sh -c 'echo lost; echo "done" >&2' <&- >&- 2>"$dir/err" ||
	fail "exit code $?"
lines err 2 '^done$'
oshrun -n 2 --tag-output sh -c 'echo lost' <&- >&- 2>&- ||
	fail "exit code $?"
oshrun -n 2 "$CLIENT" fence <&- >&- 2>&- || fail "exit code $?"
finish
