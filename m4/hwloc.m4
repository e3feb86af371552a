# SPDX-License-Identifier: BSD-3-Clause
# hwloc binds the PEs.
AC_DEFUN([SIROCCO_HWLOC], [
	PKG_CHECK_MODULES([HWLOC], [hwloc >= 2.0], [],
		[AC_MSG_ERROR([hwloc 2.0 or newer is needed (Debian: libhwloc-dev): $HWLOC_PKG_ERRORS])])
	sirocco_hwloc=`$PKG_CONFIG --modversion hwloc`
	AC_DEFINE_UNQUOTED([SIROCCO_HWLOC_VERSION], ["$sirocco_hwloc"], [hwloc that this was built with])
])
