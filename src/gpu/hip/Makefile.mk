# SPDX-License-Identifier: BSD-3-Clause
if GPU
libshmemi_la_CFLAGS += $(GPU_CPPFLAGS)
libshmemi_la_LIBADD += $(GPU_LIBS)
libshmemi_la_SOURCES += \
	src/gpu/hip/amd_map.h \
	src/gpu/hip/base.c \
	src/gpu/hip/copy.c \
	src/gpu/hip/cuda_map.h \
	src/gpu/hip/device.c \
	src/gpu/hip/error.c \
	src/gpu/hip/export.c \
	src/gpu/hip/graph.c \
	src/gpu/hip/hip.h \
	src/gpu/hip/launch.c \
	src/gpu/hip/memory.c \
	src/gpu/hip/module.c \
	src/gpu/hip/selftest.c \
	src/gpu/hip/stream.c \
	src/gpu/hip/table.c
endif
