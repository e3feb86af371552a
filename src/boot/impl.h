/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kinds of bootstrap share; for src/boot only. */
#ifndef BOOT_IMPL_H
#define BOOT_IMPL_H

#include <stdbool.h>

#include "boot/boot.h"

struct boot_ops {
	int (*allgather)(struct boot *b, const void *mine, size_t bytes,
			 void *all);
	int (*barrier)(struct boot *b);
	/* May return: the caller then ends this process. */
	void (*abort)(struct boot *b, int status, const char *msg);
	int (*close)(struct boot *b);
};

/* First member of every kind's own struct. */
struct boot {
	const struct boot_ops *ops;
	struct boot_info info;
};

/* Fills b; -EINVAL, logged, unless 0 <= pe < n_pes. */
int boot_init(struct boot *b, const struct boot_ops *ops, const char *kind,
	      int pe, int n_pes);

#endif
