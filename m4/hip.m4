# SPDX-License-Identifier: BSD-3-Clause
# HIP is the runtime of AMD's GPUs; its kernels need a clang that makes code for
# them. Debian's clang does, so do ROCm's amdclang and hipcc.

# SIROCCO_HIP_COMPILES(COMMAND, IF-YES, IF-NO): from source to object, as make
# will do it.
AC_DEFUN([SIROCCO_HIP_COMPILES], [
	cat >conftest.hip <<_HIP
#include <hip/hip_runtime_api.h>
extern "C" __attribute__((global)) void kernel(void) { }
_HIP
	AS_IF([AC_RUN_LOG([$1 -c -o conftest.hip.o conftest.hip >&AS_MESSAGE_LOG_FD])],
		[$2], [$3])
	rm -f conftest.hip conftest.hip.o
])

# Those of --with-amd-archs, or of all that we know, that the compiler knows.
AC_DEFUN([SIROCCO_HIP_FIND_ARCHS], [
	sirocco_archs=
	for sirocco_arch in ${sirocco_wanted:-gfx90a gfx942 gfx950 gfx1100 gfx1201}
	do
		SIROCCO_HIP_COMPILES([$1 --offload-arch=$sirocco_arch],
			[AS_VAR_APPEND([sirocco_archs], [" $sirocco_arch"])])
	done
])

AC_DEFUN([SIROCCO_HIP_COMPILER], [
	AC_MSG_CHECKING([for a HIP compiler])
	sirocco_hip_flags="-x hip -std=c++17 -O3 -fPIC -fno-exceptions -Wall -Wextra -nogpulib -nogpuinc $HIP_CPPFLAGS"
	sirocco_wanted=`echo "$with_amd_archs" | tr ',' ' '`
	for sirocco_cc in $HIP_CLANG "$sirocco_hip_dir/llvm/bin/clang" \
		"$sirocco_hip_dir/bin/amdclang" amdclang \
		clang-22 clang-21 clang-20 clang-19 "$sirocco_hip_dir/bin/hipcc" hipcc
	do
		SIROCCO_HIP_FIND_ARCHS([$sirocco_cc $sirocco_hip_flags])
		AS_IF([test "$sirocco_archs"], [break])
	done
	AS_IF([test -z "$sirocco_archs"],
		[AC_MSG_RESULT([none])
		AC_MSG_ERROR([--with-hip needs a clang with amdgcn, its lld and clang-offload-bundler: amdclang, hipcc or clang-19 and newer; HIP_CLANG=PROGRAM names one])])
	AC_MSG_RESULT([$sirocco_cc])
	AC_MSG_CHECKING([for AMD architectures])
	for sirocco_arch in $sirocco_wanted; do
		AS_CASE([" $sirocco_archs "], [*" $sirocco_arch "*], [],
			[AC_MSG_ERROR([$sirocco_cc does not know $sirocco_arch of --with-amd-archs])])
	done
	AC_MSG_RESULT([$sirocco_archs])
	HIP_CLANG=$sirocco_cc
	SIROCCO_AMD_ARCHS=$sirocco_archs
	GPU_COMPILE="$HIP_CLANG $sirocco_hip_flags"
	for sirocco_arch in $sirocco_archs; do
		AS_VAR_APPEND([GPU_COMPILE], [" --offload-arch=$sirocco_arch"])
		AS_VAR_APPEND([DEVICE_BITCODE], [" src/device/shmem_device-$sirocco_arch.bc"])
	done
])

AC_DEFUN([SIROCCO_HIP_LIBRARY], [
	sirocco_libs=$LIBS
	LIBS="$HIP_LIBS $LIBS"
	AC_CHECK_FUNC([hipGetDeviceCount], [],
		[AC_MSG_ERROR([no libamdhip64 in $sirocco_hip_dir])])
	AC_CHECK_MEMBER([hipPointerAttribute_t.memoryType],
		[AC_DEFINE([HIP_POINTER_KIND], [memoryType],
			[The member of hipPointerAttribute_t that says what memory it is])],
		[AC_DEFINE([HIP_POINTER_KIND], [type])],
		[[#include <hip/hip_runtime_api.h>]])
	LIBS=$sirocco_libs
])

AC_DEFUN([SIROCCO_HIP_USE], [
	AC_DEFINE([SIROCCO_GPU_PLATFORM], [shmemg_hip],
		[The GPU platform that is built in])
	SIROCCO_HIP_LIBRARY
	SIROCCO_HIP_COMPILER
	GPU_CPPFLAGS=$HIP_CPPFLAGS
	GPU_LIBS=$HIP_LIBS
	GPU_MODULE=--cuda-device-only
	sirocco_gpu=hip
	sirocco_hip="$sirocco_hip_dir, by $HIP_CLANG for$SIROCCO_AMD_ARCHS"
])

AC_DEFUN([SIROCCO_HIP], [
	AC_ARG_WITH([hip], [AS_HELP_STRING([--with-hip@<:@=PATH@:>@],
		[AMD's GPUs; ROCm's directory (/usr)])])
	AC_ARG_WITH([amd-archs], [AS_HELP_STRING([--with-amd-archs=LIST],
		[architectures to build for, like gfx90a,gfx942])])
	AC_ARG_VAR([HIP_CLANG], [compiler for AMD's GPUs])
	AC_SUBST([SIROCCO_AMD_ARCHS])
	AC_SUBST([DEVICE_BITCODE])
	sirocco_hip_dir=$with_hip
	HIP_CPPFLAGS=-D__HIP_PLATFORM_AMD__
	HIP_LIBS=-lamdhip64
	AS_CASE([$with_hip], ["" | no | yes | /usr], [sirocco_hip_dir=/usr],
		[AS_VAR_APPEND([HIP_CPPFLAGS], [" -I$with_hip/include"])
		HIP_LIBS="-L$with_hip/lib -Wl,-rpath,$with_hip/lib $HIP_LIBS"])
	sirocco_cppflags=$CPPFLAGS
	CPPFLAGS="$CPPFLAGS $HIP_CPPFLAGS"
	AS_CASE([$with_hip],
		[no], [sirocco_hip=off],
		[""], [AC_CHECK_HEADER([hip/hip_runtime_api.h],
			[sirocco_hip="found, not used (--with-hip)"],
			[sirocco_hip="not found"])],
		[AS_IF([test -f "$sirocco_hip_dir/include/hip/hip_runtime_api.h"],
			[SIROCCO_HIP_USE],
			[AC_MSG_ERROR([no hip/hip_runtime_api.h in $sirocco_hip_dir/include])])])
	CPPFLAGS=$sirocco_cppflags
])
