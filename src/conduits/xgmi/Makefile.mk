# SPDX-License-Identifier: BSD-3-Clause
libshmemi_la_SOURCES += \
	src/conduits/xgmi/xgmi.c \
	src/conduits/xgmi/xgmi_region.c \
	src/conduits/xgmi/xgmi_region.h \
	src/conduits/xgmi/xgmi_rma.c \
	src/conduits/xgmi/xgmi_rma.h
