/* SPDX-License-Identifier: BSD-3-Clause */
/* The caller has a bootstrap of its own: MPI, torch.distributed, ... */
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "boot/impl.h"

struct user {
	struct boot base;
	struct boot_user fn;
};

static int user_result(const struct user *u, const char *what, int rc)
{
	if (!rc)
		return 0;
	shmemi_log_error("boot: the caller's %s returned %d on PE %d, "
			 "expected 0",
			 what, rc, u->base.info.pe);
	return -EIO;
}

static int user_allgather(struct boot *b, const void *mine, size_t bytes,
			  void *all)
{
	struct user *u = (struct user *)b;

	return user_result(u, "allgather",
			   u->fn.allgather(mine, all, bytes, u->fn.arg));
}

static int user_barrier(struct boot *b)
{
	struct user *u = (struct user *)b;

	return user_result(u, "barrier", u->fn.barrier(u->fn.arg));
}

static void user_abort(struct boot *b, int status, const char *msg)
{
	struct user *u = (struct user *)b;

	if (u->fn.abort)
		u->fn.abort(status, msg, u->fn.arg);
}

static int user_close(struct boot *b)
{
	free(b);
	return 0;
}

static const struct boot_ops user_ops = {
	.allgather = user_allgather,
	.barrier = user_barrier,
	.abort = user_abort,
	.close = user_close,
};

int boot_open_user(struct boot **out, int pe, int n_pes,
		   const struct boot_user *fn)
{
	struct user *u;
	int rc;

	if (!fn || !fn->allgather || !fn->barrier) {
		shmemi_log_error("boot: the caller's allgather and barrier "
				 "are both needed on PE %d",
				 pe);
		return -EINVAL;
	}
	u = calloc(1, sizeof(*u));
	if (!u)
		return -ENOMEM;
	u->fn = *fn;
	rc = boot_init(&u->base, &user_ops, "user", pe, n_pes);
	if (rc) {
		free(u);
		return rc;
	}
	*out = &u->base;
	return 0;
}
