# SPDX-License-Identifier: BSD-3-Clause
# rdma-core drives the NICs.
AC_DEFUN([SIROCCO_VERBS], [
	PKG_CHECK_EXISTS([libibverbs],
		[sirocco_verbs="`$PKG_CONFIG --modversion libibverbs` (found, not used yet)"],
		[sirocco_verbs="not found"])
])
