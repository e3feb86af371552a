#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Static data of programs of the medium and large code models, which keep large
# variables in sections of their own, is symmetric as a whole; as PIE and not.
. "${SRCDIR:-.}/tests/lib.sh"
limit=60
tried=0
for model in medium large; do
	for pie in '-fPIE -pie' '-fno-pie -no-pie'; do
		$CC $CFLAGS -std=gnu11 -mcmodel=$model $pie \
			-DHUGE_BYTES=3000000000ul -I"$SRCDIR/include" \
			"$SRCDIR/tests/host/data_kinds.c" -o "$dir/tmp/kinds" \
			-L"$top/.libs" -Wl,-rpath,"$top/.libs" -lsirocco \
			>"$dir/err" 2>&1 || {
			echo "$CC -mcmodel=$model $pie: not here"
			continue
		}
		tried=$((tried + 1))
		for n in 1 3; do
			run 0 -n $n "$dir/tmp/kinds"
			says 0 .
		done
		rm "$dir/tmp/kinds"
	done
done
[ $tried != 0 ] || skip "$CC builds no programs of larger code models"
finish
