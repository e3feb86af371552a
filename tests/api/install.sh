#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `make install` leaves is enough to build and run programs, through
# oshcc, oshc++ and pkg-config, from paths with spaces in the sources' names.
set -u
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

fail() {
	echo "FAILED: $*"
	[ -s "$dir/log" ] && tail -n 20 "$dir/log"
	exit 1
}

# try WHAT COMMAND...
try() {
	what=$1
	shift
	"$@" >"$dir/log" 2>&1 || fail "$what"
}

prefix=$(sed -n 's/^prefix=//p' "$BUILDDIR/src/tools/oshcc")
try "make install" ${MAKE:-make} -C "$BUILDDIR" install DESTDIR="$dir/stage"
stage=$dir/stage$prefix
[ -f "$stage/include/shmem.h" ] || fail "no $prefix/include/shmem.h"
[ -x "$stage/bin/oshrun" ] || fail "no $prefix/bin/oshrun"

# The stage stands in for the prefix that configure was told.
for f in bin/oshcc bin/oshc++ lib/pkgconfig/sirocco.pc; do
	sed "s|^prefix=.*|prefix=$stage|" "$stage/$f" >"$dir/f" &&
		cat "$dir/f" >"$stage/$f"
done
PATH=$stage/bin:$PATH
PKG_CONFIG_PATH=$stage/lib/pkgconfig
export PATH PKG_CONFIG_PATH

mkdir "$dir/my programs"
cd "$dir/my programs" || exit 99
cat >'a ring.c' <<'EOF'
#include <shmem.h>
#include <string.h>
static long from = -1;
int main(int argc, char **argv)
{
	int n, me;
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	shmem_p(&from, me + 0L, (me + 1) % n);
	shmem_barrier_all();
	n = from != (me + n - 1) % n || argc != 2 || strcmp(argv[1], TEXT);
	shmem_finalize();
	return n;
}
EOF
cp 'a ring.c' 'a ring.cc'

# run PROGRAM: two PEs, by the oshrun that was installed, get the text.
run() {
	try "$1" timeout -k 5 60 "$stage/bin/oshrun" -n 2 "./$1" 'two  words'
	linked=$(ldd "./$1" | sed -n 's/.*libsirocco[^ ]* => \([^ ]*\).*/\1/p')
	case $linked in
	"$stage"/lib*/libsirocco.so*) ;;
	*) fail "$1: linked with $linked" ;;
	esac
}

text='-DTEXT="two  words"'
try oshcc oshcc $CFLAGS "$text" 'a ring.c' -o 'ring c'
run 'ring c'
try oshc++ oshc++ $CFLAGS -std=c++17 "$text" 'a ring.cc' -o 'ring c++'
run 'ring c++'
try "oshcc -c" oshcc $CFLAGS "$text" -c 'a ring.c' -o 'ring.o'
try "oshcc of objects" oshcc $CFLAGS ring.o -o 'ring o'
run 'ring o'

[ "$(pkg-config --modversion sirocco)" ] || fail "pkg-config sirocco"
try "pkg-config" $CC $CFLAGS "$text" 'a ring.c' -o 'ring pkg' \
	$(pkg-config --cflags --libs sirocco) \
	-Wl,-rpath,"$(pkg-config --variable=libdir sirocco)"
run 'ring pkg'

oshcc --showme 'a ring.c' >"$dir/log" || fail "oshcc --showme"
grep -q -e "-I$stage/include .*a ring.c .*-lsirocco" "$dir/log" ||
	fail "oshcc --showme"
oshcc --showme -c x.c >"$dir/log" || fail "oshcc --showme -c"
grep -q -e -lsirocco "$dir/log" && fail "oshcc -c must not link"
oshc++ --showme x.cc >"$dir/log" || fail "oshc++ --showme"
oshcc nothing.c >"$dir/log" 2>&1 && fail "oshcc: no error for no file"
SIROCCO_CC='echo other' oshcc x.c >"$dir/log" && grep -q '^other .*x.c' "$dir/log" ||
	fail "SIROCCO_CC is not used"
# Build systems of others put the wrapper itself in this one.
OSHCC=oshcc try "OSHCC=oshcc" oshcc --showme x.c
exit 0
