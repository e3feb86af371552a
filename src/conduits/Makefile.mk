# SPDX-License-Identifier: BSD-3-Clause
libshmemi_la_SOURCES += \
	src/conduits/atomic.h \
	src/conduits/atomic.inc \
	src/conduits/conduit.c \
	src/conduits/conduit.h

include src/conduits/gda/Makefile.mk
include src/conduits/proxy/Makefile.mk
include src/conduits/smp/Makefile.mk
include src/conduits/template/Makefile.mk
include src/conduits/ucx/Makefile.mk
include src/conduits/xgmi/Makefile.mk
