# SPDX-License-Identifier: BSD-3-Clause
libshmemi_la_SOURCES += \
	src/base/arch/generic/stream.h \
	src/base/arch/vector.h \
	src/base/arch/x86_64/stream.h \
	src/base/atomic.h \
	src/base/atomic.inc \
	src/base/copy.c \
	src/base/copy.h \
	src/base/log.c \
	src/base/log.h \
	src/base/order.h \
	src/base/wait.c \
	src/base/wait.h
