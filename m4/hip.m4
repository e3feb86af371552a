# SPDX-License-Identifier: BSD-3-Clause
# HIP is the GPU's runtime; --with-hip=PATH says where ROCm is.
AC_DEFUN([SIROCCO_HIP], [
	AC_ARG_WITH([hip], [AS_HELP_STRING([--with-hip=PATH], [ROCm's directory])])
	sirocco_cppflags=$CPPFLAGS
	AS_CASE([$with_hip], [no | yes | ""], [],
		[CPPFLAGS="$CPPFLAGS -I$with_hip/include"])
	CPPFLAGS="$CPPFLAGS -D__HIP_PLATFORM_AMD__"
	AS_IF([test "x$with_hip" = xno], [sirocco_hip="off"],
		[AC_CHECK_HEADER([hip/hip_runtime_api.h],
			[sirocco_hip="found, not used yet"],
			[AS_CASE([$with_hip], ["" | yes], [sirocco_hip="not found"],
				[AC_MSG_ERROR([no hip/hip_runtime_api.h in $with_hip/include])])])])
	CPPFLAGS=$sirocco_cppflags
])
