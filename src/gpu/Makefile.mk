# SPDX-License-Identifier: BSD-3-Clause
libshmemi_la_SOURCES += \
	src/gpu/cpu/arch/context.h \
	src/gpu/cpu/arch/generic/context.h \
	src/gpu/cpu/arch/generic/switch.h \
	src/gpu/cpu/arch/switch.h \
	src/gpu/cpu/arch/x86_64/context.h \
	src/gpu/cpu/arch/x86_64/switch.h \
	src/gpu/cpu/cpu.c \
	src/gpu/cpu/cpu.h \
	src/gpu/cpu/event.c \
	src/gpu/cpu/fiber.c \
	src/gpu/cpu/fiber.h \
	src/gpu/cpu/gang.c \
	src/gpu/cpu/graph.c \
	src/gpu/cpu/grid.c \
	src/gpu/cpu/grid.h \
	src/gpu/cpu/items.c \
	src/gpu/cpu/items.h \
	src/gpu/cpu/memory.c \
	src/gpu/cpu/module.c \
	src/gpu/cpu/rows.h \
	src/gpu/cpu/sanitize.h \
	src/gpu/cpu/stream.c \
	src/gpu/cpu/stream.h \
	src/gpu/cpu/task.c \
	src/gpu/gpu.c \
	src/gpu/gpu.h
