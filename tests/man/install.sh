#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `make install` puts every page and link in place, twice as well as once, and
# `make uninstall` takes all of them away.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
	echo "$*"
	exit 1
}
run() {
	(cd "$BUILDDIR" && MAKEFLAGS= ${MAKE:-make} "$@" DESTDIR="$work" \
		mandir=/man >"$work.log" 2>&1) || {
		cat "$work.log"
		fail "make $* failed"
	}
	rm -f "$work.log"
}
run install-data-local
run install-data-local
for name in shmem_put shmem_long_put shmem_putmem shmem_ctx_put64_nbi; do
	[ -f "$work/man/man3/$name.3" ] || fail "$name.3 is not installed"
done
[ -f "$work/man/man3/shmem_put.3" ] && [ ! -L "$work/man/man3/shmem_put.3" ] ||
	fail "shmem_put.3 is no page"
[ "$(readlink "$work/man/man3/shmem_long_put.3")" = shmem_put.3 ] ||
	fail "shmem_long_put.3 is no link to shmem_put.3"
[ "$(readlink "$work/man/man1/oshc++.1")" = oshcc.1 ] ||
	fail "oshc++.1 is no link to oshcc.1"
n=$(ls "$work/man/man3" | wc -l)
[ "$n" -ge "$("$BUILDDIR/src/tools/dump_api" | wc -l)" ] ||
	fail "only $n pages in section 3"
run uninstall-local
left=$(find "$work/man" ! -type d)
[ -z "$left" ] || fail "left behind: $left"
echo "$n pages"
