/* SPDX-License-Identifier: BSD-3-Clause */
#include "capture.h"

#include <stdlib.h>
#include <unistd.h>

static int ends[2], own_stderr;

void capture_start(void)
{
	own_stderr = dup(STDERR_FILENO);
	if (own_stderr < 0 || pipe(ends))
		abort();
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
}

size_t capture_stop(char text[CAPTURE_BYTES])
{
	size_t length = 0;
	ssize_t n;

	dup2(own_stderr, STDERR_FILENO);
	close(own_stderr);
	do {
		n = read(ends[0], text + length, CAPTURE_BYTES - 1 - length);
		length += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	close(ends[0]);
	text[length] = '\0';
	return length;
}
