# SPDX-License-Identifier: BSD-3-Clause
# UCX carries what goes to another node; without it there is one node.
AC_DEFUN([SIROCCO_UCX], [
	AC_ARG_WITH([ucx], [AS_HELP_STRING([--without-ucx],
		[one node only; default: use UCX if it is there])],
		[], [with_ucx=auto])
	sirocco_ucx="off: one node only"
	sirocco_have_ucx=no
	AS_IF([test "x$with_ucx" != xno],
		[PKG_CHECK_MODULES([UCX], [ucx >= 1.13],
			[sirocco_have_ucx=yes],
			[AS_IF([test "x$with_ucx" != xauto],
				[AC_MSG_ERROR([UCX 1.13 or newer is missing: $UCX_PKG_ERRORS])])
			sirocco_ucx="not found: one node only"])])
	AS_IF([test $sirocco_have_ucx = yes], [
		sirocco_ucx=`$PKG_CONFIG --modversion ucx`
		UCX_LIBS="`$PKG_CONFIG --libs-only-L ucx` -lucp -lucs"
		AC_DEFINE([HAVE_UCX], [1], [UCX carries what goes to another node])
	])
	AC_DEFINE_UNQUOTED([SIROCCO_UCX_VERSION], ["$sirocco_ucx"],
		[of the headers, or why there is none])
	AM_CONDITIONAL([UCX], [test $sirocco_have_ucx = yes])
])
