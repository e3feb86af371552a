# SPDX-License-Identifier: BSD-3-Clause
libshmemi_la_SOURCES += \
	src/base/arch/cpu.h \
	src/base/arch/generic/cpu.h \
	src/base/arch/vector.h \
	src/base/arch/x86_64/cpu.h \
	src/base/clock.h \
	src/base/copy.c \
	src/base/copy.h \
	src/base/line.h \
	src/base/log.c \
	src/base/log.h \
	src/base/order.h \
	src/base/shared.c \
	src/base/shared.h \
	src/base/thread.c \
	src/base/thread.h \
	src/base/wait.c \
	src/base/wait.h
