/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "boot/impl.h"

int boot_open(struct boot **out, int timeout_s)
{
	int rc = boot_open_pmix(out, timeout_s);

	return rc == -ENOENT ? boot_open_single(out) : rc;
}

int boot_init(struct boot *b, const struct boot_ops *ops, const char *kind,
	      int pe, int n_pes)
{
	if (pe < 0 || pe >= n_pes) {
		shmemi_log_error("boot: PE number %d of %d PEs, expected "
				 "0 <= PE < count",
				 pe, n_pes);
		return -EINVAL;
	}
	b->ops = ops;
	b->info = (struct boot_info){ .pe = pe, .n_pes = n_pes, .kind = kind };
	gethostname(b->info.host, sizeof(b->info.host) - 1);
	return 0;
}

const struct boot_info *boot_info(const struct boot *b)
{
	return &b->info;
}

int boot_allgather(struct boot *b, const void *mine, size_t bytes, void *all)
{
	size_t total_bytes;

	if (__builtin_mul_overflow(bytes, (size_t)b->info.n_pes,
				   &total_bytes)) {
		shmemi_log_error("boot: %zu bytes from each of %d PEs do not "
				 "fit the address space",
				 bytes, b->info.n_pes);
		return -EINVAL;
	}
	return b->ops->allgather(b, mine, bytes, all);
}

int boot_barrier(struct boot *b)
{
	return b->ops->barrier(b);
}

_Noreturn void boot_abort(struct boot *b, int status, const char *msg)
{
	if (msg)
		shmemi_log_error("aborts the job with status %d: %s", status,
				 msg);
	b->ops->abort(b, status, msg);
	_exit(status);
}

int boot_close(struct boot *b)
{
	return b->ops->close(b);
}

static uint64_t fnv1a(uint64_t hash, const char *s, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ (unsigned char)s[i]) * 0x100000001b3u;
	return hash;
}

uint64_t boot_node_id(void)
{
	char text[256] = "";
	uint64_t hash = 0xcbf29ce484222325u;
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd < 0 ? 0 : read(fd, text, sizeof(text));

	if (fd >= 0)
		close(fd);
	if (bytes > 0)
		hash = fnv1a(hash, text, (size_t)bytes);
	memset(text, 0, sizeof(text));
	gethostname(text, sizeof(text) - 1);
	return fnv1a(hash, text, strlen(text));
}

void boot_localize(struct boot *b, const void *node_ids, size_t stride_bytes)
{
	const char *at = node_ids;
	uint64_t mine, other;

	memcpy(&mine, at + (size_t)b->info.pe * stride_bytes, sizeof(mine));
	b->info.local_rank = 0;
	b->info.n_local = 0;
	for (int i = 0; i < b->info.n_pes; i++, at += stride_bytes) {
		memcpy(&other, at, sizeof(other));
		b->info.n_local += other == mine;
		b->info.local_rank += other == mine && i < b->info.pe;
	}
}
