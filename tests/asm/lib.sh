# SPDX-License-Identifier: BSD-3-Clause
# Included by the scripts here: a compiler for AMD's GPUs and what it knows.
# AMD_ARCHS=LIST reads the code of these alone.
asm=$SRCDIR/tests/asm
hipcc=
for program in ${HIP_CLANG:-} amdclang clang-22 clang-21 clang-20 clang-19; do
	command -v "$program" >/dev/null || continue
	hipcc=$program
	break
done
if [ -z "$hipcc" ]; then
	echo "no clang of version 19 or newer"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compile ARCH OPTION...
compile() {
	arch=$1
	shift
	"$hipcc" -x hip --cuda-device-only "--offload-arch=$arch" -nogpulib \
		-nogpuinc -std=c++17 -O3 -Wall -Wextra -D__HIP_PLATFORM_AMD__ \
		-I"$SRCDIR/include" -I"$SRCDIR/src" "$@"
}

# Whose memory model an architecture has.
generation() {
	case $1 in
	gfx90a) echo gfx9a ;;
	gfx94? | gfx950) echo gfx94 ;;
	gfx11*) echo gfx11 ;;
	gfx12*) echo gfx12 ;;
	esac
}

# read_kernels ARCH SOURCE: what is made of it, as $work/ARCH.k
read_kernels() {
	compile "$1" -S -o "$work/$1.s" "$2" &&
		awk -f "$asm/kernels.awk" "$work/$1.s" >"$work/$1.k"
}

# check ARCH KERNELS: by $rules of tests/asm, $options of check.awk and $meets
check() {
	# shellcheck disable=SC2086
	awk -v "gen=$(generation "$1")" $options -f "$asm/check.awk" \
		"$asm/$rules" "$2"
	rules_kept=$?
	awk -v "gen=$(generation "$1")" -v "meets=$meets" \
		-f "$asm/flow.awk" "$2" && [ $rules_kept = 0 ]
}
options=
meets=

# A check that passes this change is blind to it: mutate ARCH NAME SED.
mutate() {
	sed -E "$3" "$work/$1.k" >"$work/mutant.k"
	if cmp -s "$work/$1.k" "$work/mutant.k"; then
		echo "  $1: nothing to change for $2"
		failed=1
	elif check "$1" "$work/mutant.k" >"$work/log"; then
		echo "  $1: the check does not see $2"
		failed=1
	fi
}

archs=
echo 'extern "C" __attribute__((global)) void kernel(void) { }' >"$work/k.hip"
for arch in ${AMD_ARCHS:-gfx90a gfx942 gfx950 gfx1100 gfx1201}; do
	if compile "$arch" -S -o "$work/k.s" "$work/k.hip" 2>"$work/log"; then
		archs="$archs $arch"
	else
		echo "$hipcc does not know $arch"
	fi
done
if [ -z "$archs" ]; then
	echo "$hipcc makes no code for AMD's GPUs"
	exit 77
fi

# The API includes HIP's own header for its host part.
need_hip() {
	echo '#include <hip/hip_runtime_api.h>' >"$work/k.hip"
	if ! compile "${archs##* }" -fsyntax-only "$work/k.hip" 2>"$work/log"; then
		echo "no hip/hip_runtime_api.h"
		exit 77
	fi
}
