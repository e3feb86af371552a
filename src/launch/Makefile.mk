# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += src/launch/oshrun
dist_man_MANS += man/oshrun.1

src_launch_oshrun_SOURCES = \
	src/launch/bind.c src/launch/bind.h \
	src/launch/env.c src/launch/env.h \
	src/launch/guard.c src/launch/guard.h \
	src/launch/handover.c src/launch/handover.h \
	src/launch/handover_srun.c \
	src/launch/hosts.c src/launch/hosts.h \
	src/launch/io.c src/launch/io.h \
	src/launch/job.c src/launch/job.h \
	src/launch/limits.c src/launch/limits.h \
	src/launch/main.c \
	src/launch/message.c src/launch/message.h \
	src/launch/options.c src/launch/options.h \
	src/launch/path.c src/launch/path.h \
	src/launch/register.c src/launch/register.h \
	src/launch/relay.c src/launch/relay.h \
	src/launch/server.c src/launch/server.h \
	src/launch/session.c src/launch/session.h \
	src/launch/sink.c src/launch/sink.h \
	src/launch/spawn.c src/launch/spawn.h \
	src/launch/stragglers.c src/launch/stragglers.h \
	src/launch/tag.c src/launch/tag.h \
	src/launch/words.c src/launch/words.h
src_launch_oshrun_CPPFLAGS = $(AM_CPPFLAGS) $(PMIX_CFLAGS) $(HWLOC_CFLAGS) $(LIBEVENT_CFLAGS)
src_launch_oshrun_LDADD = $(PMIX_LIBS) $(HWLOC_LIBS) $(LIBEVENT_LIBS)
