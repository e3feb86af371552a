# SPDX-License-Identifier: BSD-3-Clause
# PMIx 4.2 or newer starts the job.
AC_DEFUN([SIROCCO_PMIX], [
	PKG_CHECK_MODULES([PMIX], [pmix >= 4.2], [],
		[AC_MSG_ERROR([PMIx 4.2 or newer is needed (Debian: libpmix-dev): $PMIX_PKG_ERRORS])])
	sirocco_pmix=`$PKG_CONFIG --modversion pmix`
	AC_DEFINE_UNQUOTED([SIROCCO_PMIX_VERSION], ["$sirocco_pmix"], [PMIx that this was built with])
])
