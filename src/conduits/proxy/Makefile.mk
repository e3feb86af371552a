# SPDX-License-Identifier: BSD-3-Clause
libshmemi_la_SOURCES += \
	src/conduits/proxy/proxy.c \
	src/conduits/proxy/proxy.h \
	src/conduits/proxy/proxy_entry.c \
	src/conduits/proxy/proxy_ring.c \
	src/conduits/proxy/proxy_ring.h
