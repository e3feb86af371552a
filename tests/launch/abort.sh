#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PMIx_Abort ends all with its status, 0 included; never twice, never a hang.
. "${SRCDIR:-.}/tests/lib.sh"
for n in 1 2 8; do
	for status in 0 7; do
		run $status -n $n "$CLIENT" abort $status
		lines err 1 "^oshrun: PE $((n - 1)) \(pid [0-9]+, host .+\) ended the job with status $status: as told"
		lines err 1 '^oshrun:'
	done
done
finish
