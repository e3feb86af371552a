# SPDX-License-Identifier: BSD-3-Clause
# jansson writes --json of the tools and benchmarks.
AC_DEFUN([SIROCCO_JANSSON], [
	PKG_CHECK_MODULES([JANSSON], [jansson >= 2.12], [],
		[AC_MSG_ERROR([jansson 2.12 or newer is needed (Debian: libjansson-dev): $JANSSON_PKG_ERRORS])])
	sirocco_jansson=`$PKG_CONFIG --modversion jansson`
])
