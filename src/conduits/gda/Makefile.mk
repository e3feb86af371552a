# SPDX-License-Identifier: BSD-3-Clause
if VERBS
libshmemi_la_SOURCES += \
	src/conduits/gda/gda.c \
	src/conduits/gda/gda.h \
	src/conduits/gda/gda_bnxt.c \
	src/conduits/gda/gda_buffer.c \
	src/conduits/gda/gda_call.c \
	src/conduits/gda/gda_choice.c \
	src/conduits/gda/gda_connect.c \
	src/conduits/gda/gda_connect.h \
	src/conduits/gda/gda_gid.c \
	src/conduits/gda/gda_impl.h \
	src/conduits/gda/gda_ionic.c \
	src/conduits/gda/gda_late.c \
	src/conduits/gda/gda_lib.c \
	src/conduits/gda/gda_list.c \
	src/conduits/gda/gda_memory.c \
	src/conduits/gda/gda_mlx5.c \
	src/conduits/gda/gda_nic.c \
	src/conduits/gda/gda_pair.c \
	src/conduits/gda/gda_pci.c \
	src/conduits/gda/gda_pool.c \
	src/conduits/gda/gda_provider.c \
	src/conduits/gda/gda_provider.h \
	src/conduits/gda/gda_queue.c \
	src/conduits/gda/gda_region.c \
	src/conduits/gda/gda_remote.c \
	src/conduits/gda/gda_row.c \
	src/conduits/gda/gda_survey.c \
	src/conduits/gda/gda_survey.h \
	src/conduits/gda/gda_sysfs.c \
	src/conduits/gda/gda_thread.c \
	src/conduits/gda/gda_verbs.c \
	src/conduits/gda/gda_verbs.h \
	src/conduits/gda/gda_verbs_ring.c \
	src/conduits/gda/gda_verbs_thread.c \
	src/conduits/gda/gda_watch.c
libshmemi_la_CFLAGS += $(HWLOC_CFLAGS)
libshmemi_la_LIBADD += $(HWLOC_LIBS)
else
libshmemi_la_SOURCES += \
	src/conduits/gda/gda.h \
	src/conduits/gda/gda_none.c
endif
