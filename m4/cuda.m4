# SPDX-License-Identifier: BSD-3-Clause
# CUDA is the runtime of NVIDIA's GPUs: HIP's platform with its calls mapped.

AC_DEFUN([SIROCCO_CUDA_FIND_ARCHS], [
	AC_MSG_CHECKING([for NVIDIA architectures])
	sirocco_known=`"$NVCC" --list-gpu-arch 2>&AS_MESSAGE_LOG_FD | tr '\n' ' '`
	sirocco_wanted=`echo "$with_cuda_archs" | tr ',' ' '`
	for sirocco_arch in ${sirocco_wanted:-80 90 100}; do
		AS_CASE([" $sirocco_known "],
			[*" compute_$sirocco_arch "*],
				[AS_VAR_APPEND([SIROCCO_CUDA_ARCHS], [" $sirocco_arch"])],
			[test "$sirocco_wanted" && AC_MSG_ERROR([$NVCC does not know $sirocco_arch of --with-cuda-archs])])
	done
	AS_IF([test -z "$SIROCCO_CUDA_ARCHS"],
		[AC_MSG_ERROR([$NVCC knows none of 80, 90, 100])])
	AC_MSG_RESULT([$SIROCCO_CUDA_ARCHS])
])

# Code for each, and the newest as PTX for what comes after.
AC_DEFUN([SIROCCO_CUDA_COMPILER], [
	SIROCCO_CUDA_FIND_ARCHS
	GPU_COMPILE="$NVCC -x cu -std=c++17 -O3 -rdc=false --compiler-options=-fPIC,-fno-exceptions,-fno-threadsafe-statics"
	for sirocco_arch in $SIROCCO_CUDA_ARCHS; do
		AS_VAR_APPEND([GPU_COMPILE],
			[" -gencode=arch=compute_$sirocco_arch,code=sm_$sirocco_arch"])
	done
	AS_VAR_APPEND([GPU_COMPILE],
		[" -gencode=arch=compute_$sirocco_arch,code=compute_$sirocco_arch"])
])

AC_DEFUN([SIROCCO_CUDA_LIBRARY], [
	sirocco_libs=$LIBS
	for sirocco_lib in lib64 lib; do
		GPU_LIBS="-L$sirocco_cuda_dir/$sirocco_lib -Wl,-rpath,$sirocco_cuda_dir/$sirocco_lib -lcudart"
		LIBS="$GPU_LIBS $sirocco_libs"
		AC_LINK_IFELSE([AC_LANG_CALL([], [cudaGetDeviceCount])],
			[sirocco_cuda=found; break], [sirocco_cuda=])
	done
	AS_IF([test -z "$sirocco_cuda"],
		[AC_MSG_ERROR([no libcudart in $sirocco_cuda_dir/lib64])])
	LIBS=$sirocco_libs
])

AC_DEFUN([SIROCCO_CUDA_USE], [
	AC_DEFINE([SIROCCO_GPU_PLATFORM], [shmemg_cuda])
	AC_DEFINE([SIROCCO_GPU_CUDA], [1], [The GPU platform is CUDA])
	NVCC=${NVCC:-$sirocco_cuda_dir/bin/nvcc}
	AS_IF([test -x "$NVCC" || command -v "$NVCC" >/dev/null], [],
		[AC_MSG_ERROR([no nvcc: $NVCC])])
	GPU_CPPFLAGS=-I$sirocco_cuda_dir/include
	sirocco_cppflags=$CPPFLAGS
	CPPFLAGS="$CPPFLAGS $GPU_CPPFLAGS"
	AC_CHECK_HEADER([cuda_runtime_api.h], [],
		[AC_MSG_ERROR([no cuda_runtime_api.h in $sirocco_cuda_dir/include])])
	CPPFLAGS=$sirocco_cppflags
	SIROCCO_CUDA_LIBRARY
	SIROCCO_CUDA_COMPILER
	GPU_MODULE=-fatbin
	sirocco_gpu=cuda
	sirocco_cuda="$sirocco_cuda_dir, by $NVCC for$SIROCCO_CUDA_ARCHS"
])

AC_DEFUN([SIROCCO_CUDA], [
	AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda@<:@=PATH@:>@],
		[NVIDIA's GPUs; CUDA's directory (/usr/local/cuda)])])
	AC_ARG_WITH([cuda-archs], [AS_HELP_STRING([--with-cuda-archs=LIST],
		[compute capabilities to build for, like 90,100])])
	AC_ARG_VAR([NVCC], [compiler for NVIDIA's GPUs])
	AC_SUBST([SIROCCO_CUDA_ARCHS])
	sirocco_cuda_dir=$with_cuda
	AS_CASE([$with_cuda], ["" | no | yes], [sirocco_cuda_dir=/usr/local/cuda])
	AS_CASE([$with_cuda],
		[no], [sirocco_cuda=off],
		[""], [AS_IF([test -x "$sirocco_cuda_dir/bin/nvcc"],
			[sirocco_cuda="found, not used (--with-cuda)"],
			[sirocco_cuda="not found"])],
		[AS_IF([test "$sirocco_gpu" = hip],
			[AC_MSG_ERROR([one library has one GPU platform: --with-hip or --with-cuda, not both])])
		SIROCCO_CUDA_USE])
])
