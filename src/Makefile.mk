# SPDX-License-Identifier: BSD-3-Clause
# Everything below the API is a convenience library, so that tests and
# shmem_info reach what libsirocco.so hides.
noinst_LTLIBRARIES += libshmemi.la
libshmemi_la_SOURCES =
libshmemi_la_CFLAGS = $(AM_CFLAGS) $(PMIX_CFLAGS)
libshmemi_la_LIBADD = $(PMIX_LIBS)

lib_LTLIBRARIES += libsirocco.la
libsirocco_la_SOURCES =
libsirocco_la_LIBADD = libshmemi.la
libsirocco_la_DEPENDENCIES = libshmemi.la src/sirocco.map
libsirocco_la_LDFLAGS = $(SANITIZE_FLAGS) -version-info $(LIBRARY_VERSION) \
	-Wl,--version-script=src/sirocco.map -Wl,-z,now -Wl,-z,nodelete

include src/base/Makefile.mk
include src/boot/Makefile.mk
include src/conduits/Makefile.mk
include src/device/Makefile.mk
include src/gpu/Makefile.mk
include src/gpu/hip/Makefile.mk
include src/host/Makefile.mk
include src/launch/Makefile.mk
include src/tools/Makefile.mk

# The version script names what the tables name.
noinst_PROGRAMS += src/tools/dump_api
src_tools_dump_api_SOURCES = src/tools/dump_api.c
src_tools_dump_api_LDADD =

src/sirocco.map: src/tools/dump_api$(EXEEXT)
	$(AM_V_GEN)src/tools/dump_api$(EXEEXT) --map >$@.tmp && mv $@.tmp $@
CLEANFILES += src/sirocco.map
