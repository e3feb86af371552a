/* SPDX-License-Identifier: BSD-3-Clause */
/* A job of one PE: a program started without a launcher. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "boot/impl.h"

static int single_allgather(struct boot *b, const void *mine, size_t bytes,
			    void *all)
{
	(void)b;
	if (bytes)
		memcpy(all, mine, bytes);
	return 0;
}

static int single_barrier(struct boot *b)
{
	(void)b;
	return 0;
}

static void single_abort(struct boot *b, int status, const char *msg)
{
	(void)b;
	(void)status;
	(void)msg;
}

static int single_close(struct boot *b)
{
	free(b);
	return 0;
}

static const struct boot_ops single_ops = {
	.allgather = single_allgather,
	.barrier = single_barrier,
	.abort = single_abort,
	.close = single_close,
};

int boot_open_single(struct boot **out)
{
	struct boot *b = calloc(1, sizeof(*b));

	if (!b)
		return -ENOMEM;
	boot_init(b, &single_ops, "single", 0, 1);
	b->info.n_local = 1;
	*out = b;
	return 0;
}
