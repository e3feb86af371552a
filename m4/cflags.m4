# SPDX-License-Identifier: BSD-3-Clause
# Warnings, and hiding of all that the version script does not name.
AC_DEFUN([SIROCCO_FLAGS], [
	SIROCCO_CFLAGS="-std=gnu11 -fvisibility=hidden -fno-common"
	for flag in -Wall -Wextra -Wshadow -Wstrict-prototypes \
		-Wmissing-prototypes -Wvla -Wpointer-arith; do
		SIROCCO_CFLAGS="$SIROCCO_CFLAGS $flag"
	done
	AC_ARG_ENABLE([werror],
		[AS_HELP_STRING([--enable-werror], [make warnings errors])],
		[AS_IF([test "x$enableval" = xyes],
			[SIROCCO_CFLAGS="$SIROCCO_CFLAGS -Werror"])])
	AC_SUBST([SIROCCO_CFLAGS])
	AC_DEFINE_UNQUOTED([SIROCCO_CONFIGURE_ARGS], ["$ac_configure_args"],
		[Arguments of configure])
])
