#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# oshrun inside oshrun.
. "${SRCDIR:-.}/tests/lib.sh"
run 0 -n 2 "$OSHRUN" -n 2 "$CLIENT" keys
lines out 4 'JOB_SIZE=2$'
run 7 -n 1 "$OSHRUN" -n 2 "$CLIENT" abort 7
lines err 2 '^oshrun: '
finish
