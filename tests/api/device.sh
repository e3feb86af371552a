#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One source with kernels compiles without a warning as C11 and C++17 for the
# CPU, by nvcc and by clang for AMD's GPUs, as far as these are there; so do the
# headers alone. On a GPU kernels have no host-only routine, and the generics
# of groups are those of the tables.
set -u
include=$SRCDIR/include
source=$SRCDIR/tests/api/kernels.inc
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
failed=0
warnings='-Wall -Wextra -pedantic -Werror -fsyntax-only'

# check WHAT COMMAND...
check() {
	what=$1
	shift
	"$@" >"$dir/log" 2>&1 && [ ! -s "$dir/log" ] && return
	echo "$what: $*"
	cut -c 1-200 "$dir/log" | head -n 5
	failed=1
}

# refuse WHAT COMMAND...
refuse() {
	what=$1
	shift
	"$@" >"$dir/log" 2>&1 || return
	echo "$what: accepted: $*"
	failed=1
}

check "C11" $CC -std=c11 $warnings -I"$include" -x c "$source"
check "C++17" $CXX -std=c++17 $warnings -I"$include" -x c++ "$source"
if command -v clang >/dev/null; then
	check "C11" clang -std=c11 $warnings -I"$include" -x c "$source"
	check "C++17" clang++ -std=c++17 $warnings -I"$include" -x c++ "$source"
fi

# Sources by GPU compilers: the kernel, and one that calls what is the host's.
cp "$source" "$dir/kernels.cu"
cat >"$dir/host_only.cu" <<'EOF'
#include <shmem/device.h>
extern "C" __attribute__((global)) void host_only(void **p);
extern "C" __attribute__((global)) void host_only(void **p)
{
	*p = shmem_malloc(1);
}
EOF
cat >"$dir/main.cu" <<'EOF'
#include <shmem.h>
#include <shmem/device.h>
int main()
{
	long double d = 0;
	shmem_init();
	shmem_put(&d, &d, 1, shmem_my_pe());
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
EOF

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if [ -x "$nvcc" ]; then
	for unit in kernels main; do
		check nvcc "$nvcc" -std=c++17 -I"$include" -c \
			-o "$dir/$unit.o" "$dir/$unit.cu"
	done
	refuse nvcc "$nvcc" -std=c++17 -I"$include" -c -o "$dir/o" \
		"$dir/host_only.cu"
	tried="$nvcc"
fi

hip=
for compiler in ${HIP_CLANG:-amdclang++ clang++-22 clang++-21 clang++-20 \
	clang++-19}; do
	command -v "$compiler" >/dev/null || continue
	printf '#include <hip/hip_runtime_api.h>\n' |
		"$compiler" -D__HIP_PLATFORM_AMD__ -fsyntax-only -x c++ - \
			2>/dev/null || continue
	hip=$compiler
	break
done
if [ "$hip" ]; then
	flags="-x hip -std=c++17 --offload-arch=gfx942 -nogpulib -nogpuinc"
	flags="$flags -Wall -Wextra -Werror -I$include"
	for unit in kernels main; do
		check "$hip" "$hip" $flags -c -o "$dir/$unit.o" "$dir/$unit.cu"
	done
	refuse "$hip" "$hip" $flags -c -o "$dir/o" "$dir/host_only.cu"
	tried="${tried-} $hip"
fi
[ "${tried-}" ] || echo "no nvcc, no clang with HIP: the CPU only"

# The generics of groups, from the routines that C finds.
echo '#include <shmem/device.h>' |
	$CC -std=gnu11 -I"$include" -dM -E -x c - |
	sed -n 's/^#define shmemx_\([a-z_]*_\(wave\|wg\|grid\)\)(.*/\1/p' |
	sort >"$dir/generics"
echo '#include <shmem/device.h>' | $CC -std=gnu11 -I"$include" -E -x c - |
	grep -o -E '\<shmemx_u?int_[a-z_]*_(wave|wg|grid)\>' |
	sed 's/^shmemx_u\{0,1\}int_//' | sort -u >"$dir/typed"
cmp -s "$dir/generics" "$dir/typed" || {
	echo "generics of groups: missing:" $(comm -13 "$dir/generics" "$dir/typed")
	echo "generics of groups: too many:" \
		$(comm -23 "$dir/generics" "$dir/typed")
	failed=1
}
[ -s "$dir/typed" ] || failed=1
exit $failed
