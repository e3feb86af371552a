# SPDX-License-Identifier: BSD-3-Clause
libshmemi_la_SOURCES += \
	src/conduits/smp/smp.c \
	src/conduits/smp/smp_region.c \
	src/conduits/smp/smp_region.h \
	src/conduits/smp/smp_rma.c \
	src/conduits/smp/smp_rma.h
