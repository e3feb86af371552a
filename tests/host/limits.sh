#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Small limits on address space, descriptors, files' size and stack: it works,
# or a line says what there was too little of.
. "${SRCDIR:-.}/tests/lib.sh"
limit=30

# The job either runs, or ends with a line of the library and no signal.
works_or_says() {
	what=$1
	shift
	job "$@"
	got=$?
	case $got in
	0) lines out 2 '^fine$' ;;
	1 | 71) [ -s "$dir/err" ] && [ "$(grep -c -E \
		'^(sirocco|oshrun): ' "$dir/err")" -ge 1 ] ||
		fail "$what: it does not say why it ended" ;;
	*) fail "$what: exit code $got" ;;
	esac
	wait_for nothing_left
}

if grep -q -a __asan_init "$bin/plain"; then
	echo "no limit on addresses under the address sanitizer"
else
	works_or_says "small address space" -n 2 \
		sh -c 'ulimit -v 600000; exec "$0"' "$bin/plain"
	[ $got = 1 ] || fail "1 GiB of heap within 600 MB of addresses"
	grep -q '^sirocco: .*SHMEM_SYMMETRIC_SIZE' "$dir/err" ||
		fail "it does not say what to make smaller"
	SHMEM_SYMMETRIC_SIZE=8m works_or_says "fitting address space" -n 2 \
		sh -c 'ulimit -v 900000; exec "$0"' "$bin/plain"
	[ $got = 0 ] || fail "8 MiB of heap within 900 MB: exit code $got"
fi
for fds in 6 8 10 12 16 24 32; do
	works_or_says "$fds descriptors" -n 2 \
		sh -c "ulimit -n $fds; exec \"\$0\"" "$bin/plain"
done
[ $got = 0 ] || fail "32 descriptors should be enough for 2 PEs"
works_or_says "small stack" -n 2 sh -c 'ulimit -s 256; exec "$0"' "$bin/plain"
works_or_says "no core" -n 2 sh -c 'ulimit -c 0; exec "$0"' "$bin/plain"
[ $got = 0 ] || fail "no core: exit code $got"
finish
