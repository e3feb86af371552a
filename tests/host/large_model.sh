#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Static data of programs of the medium and large code models, which keep large
# variables in sections of their own, is symmetric as a whole; as PIE and not.
# Large constants that a linker puts in between are no variables; what cannot
# be shared for their sake is refused in so many words.
. "${SRCDIR:-.}/tests/lib.sh"
limit=60
grep -q -a __asan_init "$top/.libs/libsirocco.so" &&
	skip "the sanitizer's shadow lies where large data goes"
kinds=$dir/tmp/kinds
tried=0

# build FLAGS...
build() {
	$CC $CFLAGS -std=gnu11 "$@" -I"$SRCDIR/include" \
		"$SRCDIR/tests/host/data_kinds.c" -o "$kinds" \
		-L"$top/.libs" -Wl,-rpath,"$top/.libs" -lsirocco \
		>"$dir/err" 2>&1
}

for model in medium large; do
	for pie in '-fPIE -pie' '-fno-pie -no-pie'; do
		huge="-mcmodel=$model $pie -DHUGE_BYTES=3000000000ul"
		build $huge || continue
		tried=$((tried + 1))
		for n in 1 3; do
			run 0 -n $n "$kinds"
			says 0 .
		done
		build $huge -DCONSTANTS=100000 || fail "constants: not built"
		job -n 2 "$kinds"
		[ $? = 0 ] && continue
		grep -q '^sirocco: .*two segments with something in between' \
			"$dir/err" || fail "large constants, $huge"
	done
done
rm -f "$kinds"
[ $tried != 0 ] || skip "$CC builds no programs of larger code models"
finish
