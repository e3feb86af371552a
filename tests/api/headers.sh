#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each installed header compiles alone, as C11 and C++17, without a warning,
# with each compiler that is here; shmem.h defines no name but the standard's,
# and its constants are constants.
set -u
include=$SRCDIR/include
here=$SRCDIR/tests/api
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
failed=0
warnings='-Wall -Wextra -pedantic -Werror -Wundef -fsyntax-only'

# check WHAT COMMAND...
check() {
	what=$1
	shift
	"$@" >"$dir/log" 2>&1 && return
	echo "$what: $*"
	head -n 5 "$dir/log"
	failed=1
}

c=$CC
command -v gcc >/dev/null && [ "$CC" != gcc ] && c="$c|gcc"
command -v clang >/dev/null && [ "$CC" != clang ] && c="$c|clang"
cxx=$CXX
command -v g++ >/dev/null && [ "$CXX" != g++ ] && cxx="$cxx|g++"
command -v clang++ >/dev/null && [ "$CXX" != clang++ ] && cxx="$cxx|clang++"

# compile WHAT FILE: with all compilers; the file names one header or is C.
compile() {
	IFS='|'
	for compiler in $c; do
		unset IFS
		check "$1" $compiler -std=c11 -Wstrict-prototypes $warnings \
			-I"$include" -x c "$2"
	done
	IFS='|'
	for compiler in $cxx; do
		unset IFS
		check "$1" $compiler -std=c++17 $warnings -I"$include" \
			-x c++ "$2"
	done
	unset IFS
}

# Those a program includes, and the parts of which they are made. expand.h and
# undef.h are made to be included by a view, *.def too.
for header in shmem.h shmemx.h pshmem.h mpp/shmem.h mpp/shmemx.h \
	shmem/attr.h shmem/shapes.h shmem/types.h shmem/constants.h \
	shmem/undef.h shmem/where.h shmem/platform.h shmem/runtime.h \
	shmem/stream.h shmem/exchange.h shmem/moe.h shmem/network.h \
	shmem/network_constants.h \
	shmem/kernel.h \
	shmem/device.h shmem/device/api.h \
	shmem/device/arch.h shmem/device/module.h shmem/device/state.h; do
	printf '#include <%s>\n#include <%s>\nextern int one;\n' \
		$header $header >"$dir/alone"
	compile $header "$dir/alone"
done
compile constants "$here/constants.c"

# Programs that read their own system headers before or after.
for order in 'stdio.h string.h complex.h shmem.h' \
	'shmem.h stdio.h stdlib.h complex.h stdatomic.h pthread.h'; do
	printf '#include <%s>\n' $order >"$dir/order"
	check "$order" $CC -std=gnu11 $warnings -I"$include" -x c "$dir/order"
done

# macros SOURCE: names of the macros that stand at its end, and their twins.
macros() {
	echo "$1" | $CC -std=c11 -dM -E -I"$include" -x c - |
		sed 's/^#define \([A-Za-z0-9_]*\).*/\1/' | sort -u
}
macros '#include <stddef.h>
#include <stdint.h>' >"$dir/before"
macros '#include <shmem.h>' >"$dir/after"
names=$(comm -13 "$dir/before" "$dir/after" |
	grep -v -E '^(shmem_|SHMEMI_|_?SHMEM_)' )
[ -z "$names" ] || {
	echo "shmem.h pollutes:" $names
	failed=1
}

# Other names: each that shmem.h declares outside of the tables is shmem_ or
# shmemi_.
echo '#include <shmem.h>' | $CC -std=c11 -E -I"$include" -x c - |
	awk '/^# / { ours = /\/shmem(\.h|\/)/ } ours && !/^#/' |
	grep -o -E '^typedef [^;{]*[ *]([a-z_]+);|^} [a-z_]+;' |
	grep -v -E '[ *](shmem_|shmemi_)[a-z_]*;' >"$dir/typedefs"
[ -s "$dir/typedefs" ] && {
	echo "shmem.h declares:" $(cat "$dir/typedefs")
	failed=1
}
exit $failed
