/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "nic_impl.h"

/* TSan does not follow fences: there, each word is a flag. */
#ifdef __SANITIZE_THREAD__
#define WORD_LOAD __ATOMIC_ACQUIRE
#define WORD_STORE __ATOMIC_RELEASE
#else
#define WORD_LOAD __ATOMIC_RELAXED
#define WORD_STORE __ATOMIC_RELAXED
#endif

/* Whole words, as those who poll for one expect; the rest as memcpy does. */
static void copy_here(char *to, const char *from, size_t bytes)
{
	if (bytes > 64 || ((uintptr_t)to | (uintptr_t)from | bytes) % 4) {
		memcpy(to, from, bytes);
		return;
	}
	while (bytes >= 8 && ((uintptr_t)to | (uintptr_t)from) % 8 == 0) {
		__atomic_store_n(
			(uint64_t *)(void *)to,
			__atomic_load_n((const uint64_t *)(const void *)from,
					WORD_LOAD),
			WORD_STORE);
		to += 8;
		from += 8;
		bytes -= 8;
	}
	for (; bytes; to += 4, from += 4, bytes -= 4)
		__atomic_store_n(
			(uint32_t *)(void *)to,
			__atomic_load_n((const uint32_t *)(const void *)from,
					WORD_LOAD),
			WORD_STORE);
}

void nic_copy_from(void *to, const struct nic_span *from, size_t bytes)
{
	const struct iovec here = { to, bytes }, there = { from->p, bytes };

	if (from->gpu)
		nic_gpu_copy(to, from->p, bytes);
	else if (!from->pid)
		copy_here(to, from->p, bytes);
	else if (process_vm_readv(from->pid, &here, 1, &there, 1, 0) !=
		 (ssize_t)bytes)
		nic_say("memory of process %d can't be read: %s", from->pid,
			strerror(errno));
}

void nic_copy_to(const struct nic_span *to, const void *from, size_t bytes)
{
	const struct iovec here = { (void *)(uintptr_t)from, bytes };
	const struct iovec there = { to->p, bytes };

	if (to->gpu)
		nic_gpu_copy(to->p, from, bytes);
	else if (!to->pid)
		copy_here(to->p, from, bytes);
	else if (process_vm_writev(to->pid, &here, 1, &there, 1, 0) !=
		 (ssize_t)bytes)
		nic_say("memory of process %d can't be written: %s", to->pid,
			strerror(errno));
}

int nic_mapped(const struct nic_span *span)
{
	return !span->gpu && !span->pid;
}

/* Directly if the CPU reaches one side, else through memory in between. */
void nic_copy(const struct nic_span *to, const struct nic_span *from,
	      size_t bytes)
{
	char between[4096];
	struct nic_span t = *to, f = *from;

	if (to->gpu && from->gpu) {
		nic_gpu_move(to->p, from->p, bytes);
		return;
	}
	if (nic_mapped(from)) {
		nic_copy_to(to, from->p, bytes);
		return;
	}
	if (nic_mapped(to)) {
		nic_copy_from(to->p, from, bytes);
		return;
	}
	while (bytes) {
		const size_t n =
			bytes < sizeof(between) ? bytes : sizeof(between);

		nic_copy_from(between, &f, n);
		nic_copy_to(&t, between, n);
		t.p += n;
		f.p += n;
		bytes -= n;
	}
}

void nic_load(void *to, const void *from, size_t bytes)
{
	const struct nic_span span = { (char *)(uintptr_t)from, bytes,
				       nic_gpu_owns(from), 0 };

	nic_copy_from(to, &span, bytes);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

void nic_store(void *to, const void *from, size_t bytes)
{
	const struct nic_span span = { to, bytes, nic_gpu_owns(to), 0 };

	__atomic_thread_fence(__ATOMIC_RELEASE);
	nic_copy_to(&span, from, bytes);
}

uint64_t nic_load64(const void *from)
{
	uint64_t v;

	nic_load(&v, from, sizeof(v));
	return v;
}

uint32_t nic_load32(const void *from)
{
	uint32_t v;

	nic_load(&v, from, sizeof(v));
	return v;
}
