# SPDX-License-Identifier: BSD-3-Clause
# Headers of rdma-core, for NICs that kernels drive; its libraries are loaded at
# run time, where there are NICs.
AC_DEFUN([SIROCCO_VERBS], [
	AC_ARG_WITH([verbs], [AS_HELP_STRING([--without-verbs],
		[no NIC is driven by kernels; default: if rdma-core's headers are there])],
		[], [with_verbs=auto])
	sirocco_verbs="off: kernels drive no NICs"
	sirocco_have_verbs=no
	AS_IF([test "x$with_verbs" != xno], [
		AC_CHECK_HEADERS([infiniband/verbs.h infiniband/mlx5dv.h],
			[sirocco_have_verbs=yes],
			[sirocco_have_verbs=no
			AS_IF([test "x$with_verbs" != xauto],
				[AC_MSG_ERROR([rdma-core's headers are missing: infiniband/verbs.h, infiniband/mlx5dv.h])])
			sirocco_verbs="no headers: kernels drive no NICs"
			break])])
	AS_IF([test $sirocco_have_verbs = yes], [
		sirocco_verbs=yes
		AC_DEFINE([HAVE_VERBS], [1], [Kernels can drive NICs])
	])
	AM_CONDITIONAL([VERBS], [test $sirocco_have_verbs = yes])
])
