# SPDX-License-Identifier: BSD-3-Clause
libshmemi_la_SOURCES += \
	src/boot/boot.c \
	src/boot/boot.h \
	src/boot/impl.h \
	src/boot/pmix.c \
	src/boot/pmix_client.c \
	src/boot/pmix_client.h \
	src/boot/single.c \
	src/boot/uid.c \
	src/boot/uid.h \
	src/boot/uid_connect.c \
	src/boot/uid_join.c \
	src/boot/uid_link.c \
	src/boot/uid_listen.c \
	src/boot/uid_reader.c \
	src/boot/user.c
