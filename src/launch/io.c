/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "launch/job.h"
#include "launch/options.h"
#include "launch/relay.h"
#include "launch/sink.h"
#include "launch/tag.h"

static int null_fd = -1;

void io_reserve_std(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd < 3);
	if (fd >= 0)
		close(fd);
}

int io_start(struct job *job)
{
	null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (null_fd < 0)
		return -errno;
	return job->opt->tag_output ? tag_start(job) : 0;
}

static int open_stdin(struct job *job, unsigned rank)
{
	if (rank)
		return null_fd;
	return isatty(0) ? relay_open(job) : 0;
}

int io_open(struct job *job, unsigned rank, int fd[3])
{
	fd[0] = open_stdin(job, rank);
	fd[1] = 1;
	fd[2] = 2;
	if (fd[0] < 0)
		return -1;
	if (!job->opt->tag_output)
		return 0;
	fd[1] = tag_open(rank, 1);
	fd[2] = fd[1] < 0 ? -1 : tag_open(rank, 2);
	if (fd[2] >= 0)
		return 0;
	fd[2] = 2;
	io_started(fd);
	return -1;
}

void io_started(const int fd[3])
{
	for (int i = 0; i < 3; i++)
		if (fd[i] > 2 && fd[i] != null_fd)
			close(fd[i]);
}

void io_message(const char *line, size_t bytes)
{
	if (!sink_message(line, bytes) && write(2, line, bytes) < 0)
		return;
}

void io_finish(void)
{
	tag_finish();
}

bool io_idle(void)
{
	return tag_idle() && sink_idle();
}

void io_discard(void)
{
	sink_discard();
}
