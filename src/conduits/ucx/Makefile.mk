# SPDX-License-Identifier: BSD-3-Clause
if UCX
libshmemi_la_CFLAGS += $(UCX_CFLAGS)
libshmemi_la_LIBADD += $(UCX_LIBS)
libshmemi_la_SOURCES += \
	src/conduits/ucx/ucx.c \
	src/conduits/ucx/ucx.h \
	src/conduits/ucx/ucx_am.c \
	src/conduits/ucx/ucx_am.h \
	src/conduits/ucx/ucx_am_batch.c \
	src/conduits/ucx/ucx_am_count.c \
	src/conduits/ucx/ucx_am_get.c \
	src/conduits/ucx/ucx_am_put.c \
	src/conduits/ucx/ucx_am_serve.c \
	src/conduits/ucx/ucx_amo.c \
	src/conduits/ucx/ucx_ep.c \
	src/conduits/ucx/ucx_memory.c \
	src/conduits/ucx/ucx_progress.c \
	src/conduits/ucx/ucx_queue.c \
	src/conduits/ucx/ucx_rma.c \
	src/conduits/ucx/ucx_stage.c \
	src/conduits/ucx/ucx_stage.h \
	src/conduits/ucx/ucx_worker.c
endif
