# SPDX-License-Identifier: BSD-3-Clause
# UCX carries what goes to another node.
AC_DEFUN([SIROCCO_UCX], [
	PKG_CHECK_EXISTS([ucx >= 1.13],
		[sirocco_ucx="`$PKG_CONFIG --modversion ucx` (found, not used yet)"],
		[sirocco_ucx="not found"])
])
