# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += src/tools/shmem_info
dist_man_MANS += man/shmem_info.1

src_tools_shmem_info_SOURCES = src/tools/shmem_info.c \
	src/tools/nics.c src/tools/nics.h \
	src/tools/routes.c src/tools/routes.h
src_tools_shmem_info_CPPFLAGS = $(AM_CPPFLAGS) $(LIBEVENT_CFLAGS) \
	$(JANSSON_CFLAGS)
src_tools_shmem_info_LDADD = libshmemi.la $(JANSSON_LIBS)
bin_SCRIPTS += src/tools/oshcc src/tools/oshc++
