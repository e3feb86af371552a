# SPDX-License-Identifier: BSD-3-Clause
# libevent's core, the event loop and buffers, serves oshrun.
AC_DEFUN([SIROCCO_LIBEVENT], [
	PKG_CHECK_MODULES([LIBEVENT], [libevent_core >= 2.0.21], [],
		[AC_MSG_ERROR([libevent 2.0.21 or newer is needed (Debian: libevent-dev): $LIBEVENT_PKG_ERRORS])])
	sirocco_libevent=`$PKG_CONFIG --modversion libevent_core`
])
