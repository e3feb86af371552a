# SPDX-License-Identifier: BSD-3-Clause
# --enable-sanitize=address,undefined or =thread, for library and tests.
AC_DEFUN([SIROCCO_SANITIZE], [
	AC_ARG_ENABLE([sanitize],
		[AS_HELP_STRING([--enable-sanitize=LIST],
			[build with -fsanitize=LIST])],
		[], [enable_sanitize=no])
	SANITIZE_FLAGS=
	AS_IF([test "x$enable_sanitize" != xno],
		[SANITIZE_FLAGS="-fsanitize=$enable_sanitize -fno-omit-frame-pointer"])
	AC_SUBST([SANITIZE_FLAGS])
])
