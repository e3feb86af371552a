# SPDX-License-Identifier: BSD-3-Clause
include_HEADERS = include/shmem.h include/shmemx.h include/pshmem.h
mppincludedir = $(includedir)/mpp
mppinclude_HEADERS = include/mpp/shmem.h include/mpp/shmemx.h
shmemincludedir = $(includedir)/shmem
shmeminclude_HEADERS = \
	include/shmem/amo.def include/shmem/attr.h include/shmem/collective.def \
	include/shmem/constants.h include/shmem/context.def \
	include/shmem/deprecated.def include/shmem/expand.h \
	include/shmem/generic.h include/shmem/lock.def include/shmem/memory.def \
	include/shmem/order.def include/shmem/overload.h \
	include/shmem/prototypes.h include/shmem/rma.def include/shmem/setup.def \
	include/shmem/shapes.h include/shmem/signal.def include/shmem/sync.def \
	include/shmem/tables.def include/shmem/team.def include/shmem/types.h \
	include/shmem/undef.h
