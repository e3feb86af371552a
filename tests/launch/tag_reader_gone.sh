#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# When the reader of our output goes, writers get SIGPIPE; no hang.
. "${SRCDIR:-.}/tests/lib.sh"
oshrun -n 2 --tag-output yes 2>"$dir/err" </dev/null | head -n 3 >"$dir/out"
lines out 3 '^\[[01]\] y$'
lines err 1 'killed by signal 13'
finish
