#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A PE killed by a signal ends the job with 128 + signal, named in one line.
. "${SRCDIR:-.}/tests/lib.sh"
for s in SEGV:11 ABRT:6 KILL:9 TERM:15 FPE:8; do
	run $((128 + ${s#*:})) -n 4 sh -c \
		'[ $PMIX_RANK = 3 ] && kill -'"${s%:*}"' $$; exec sleep 50'
	one_line "^oshrun: PE 3 \(pid [0-9]+, host .+\) killed by signal ${s#*:} \("
done
# Those who ignore TERM get KILL.
run 139 -n 2 sh -c 'trap "" TERM; [ $PMIX_RANK = 1 ] && kill -SEGV $$
	sleep 50; sleep 50'
one_line 'PE 1 .* killed by signal 11 \(Segmentation fault\)'
finish
