/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of each conduit that maps a peer's memory, from one process to
 * another through nothing but the interface: what a new one must pass.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conduits/conduit.h"
#include "gpu/gpu.h"

#define BYTES ((size_t)1 << 20)
#define DATA 4096
#define WORD 64
#define SIGNAL 128

static struct conduit *conduit;
static enum conduit_segment segment; /* that it reaches */
static char *space; /* two regions side by side, the owner's first */

static void need(int ok, const char *what)
{
	if (ok)
		return;
	printf("%s: %s\n", conduit->name, what);
	exit(1);
}

static void pattern(unsigned char *p, size_t bytes, unsigned int seed)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (unsigned char)(i * 7 + seed);
}

static void check_rma(struct conduit_ep *ep)
{
	static unsigned char out[BYTES / 2], in[BYTES / 2];
	const size_t sizes[] = { 0, 1, 3, 8, 63, 4096, BYTES / 2 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		pattern(out, sizes[i], (unsigned int)i);
		memset(in, 0, sizes[i]);
		need(!conduit->ops.put(NULL, ep, segment, DATA, out, sizes[i],
				       0),
		     "put");
		need(!conduit->ops.get(NULL, ep, in, segment, DATA, sizes[i],
				       0),
		     "get");
		need(!memcmp(in, out, sizes[i]), "get does not find the put");
	}
}

static uint64_t amo(struct conduit_ep *ep, enum conduit_amo op, size_t bytes,
		    uint64_t operand, uint64_t cond)
{
	uint64_t old = 0;

	need(!conduit->ops.amo(NULL, ep, op, bytes, segment, WORD, operand,
			       cond, &old, 0),
	     "amo");
	return bytes == 4 ? (uint32_t)old : old;
}

static void check_amo(struct conduit_ep *ep, size_t bytes)
{
	uint64_t big = bytes == 4 ? 0xfffffff0u : 0xfffffffffffffff0u;

	amo(ep, CONDUIT_SET, bytes, 5, 0);
	need(amo(ep, CONDUIT_SWAP, bytes, 6, 0) == 5, "swap");
	need(amo(ep, CONDUIT_CSWAP, bytes, 7, 5) == 6, "cswap that must not");
	need(amo(ep, CONDUIT_CSWAP, bytes, big, 6) == 6, "cswap");
	need(amo(ep, CONDUIT_ADD, bytes, 0x12, 0) == big, "add");
	need(amo(ep, CONDUIT_OR, bytes, 0x0d, 0) == 2, "sum, wrapped round");
	need(amo(ep, CONDUIT_AND, bytes, 0x0c, 0) == 0x0f, "or");
	need(amo(ep, CONDUIT_XOR, bytes, 0x0f, 0) == 0x0c, "and");
	need(amo(ep, CONDUIT_FETCH, bytes, 0, 0) == 0x03, "xor");
	need(!conduit->ops.amo(NULL, ep, CONDUIT_ADD, bytes, segment, WORD, 1,
			       0, NULL, 0),
	     "amo without a result");
	need(amo(ep, CONDUIT_FETCH, bytes, 0, 0) == 0x04, "its effect");
}

static void check_signal(struct conduit_ep *ep)
{
	const uint64_t payload = 0x1234567890abcdefu;

	need(!conduit->ops.put_signal(NULL, ep, segment, DATA, &payload,
				      sizeof(payload), segment, SIGNAL, 41,
				      CONDUIT_SET, 0),
	     "put_signal");
	need(!conduit->ops.put_signal(NULL, ep, segment, 0, NULL, 0, segment,
				      SIGNAL, 1, CONDUIT_ADD, 0),
	     "put_signal of nothing");
}

/* In the child: imports the parent's region and works on it. */
static void visitor(const void *blob)
{
	const struct conduit_peer peer = { 0, 1, "here" };
	struct conduit_region regions[CONDUIT_NSEGMENTS] = { 0 };
	struct conduit_ep *ep;

	regions[segment] = (struct conduit_region){ .base = space + BYTES,
						    .bytes = BYTES };
	need(!conduit->ops.import(&peer, &regions[segment], blob), "import");
	need(!conduit->ops.connect(&peer, regions, NULL, &ep), "connect");
	check_rma(ep);
	check_amo(ep, 4);
	check_amo(ep, 8);
	check_signal(ep);
	need(!conduit->ops.disconnect(ep), "disconnect");
	need(!conduit->ops.forget(&regions[segment]), "forget");
	exit(0);
}

static void owner(void)
{
	struct conduit_region region = { .base = space, .bytes = BYTES };
	char blob[CONDUIT_BLOB_BYTES] = { 0 };
	uint64_t payload, signal;
	int status;
	pid_t pid;

	need(!conduit->ops.open(conduit), "open");
	need(!conduit->ops.alloc(&region), "alloc");
	need(!conduit->ops.export(&region, blob), "export");
	pid = fork();
	if (!pid)
		visitor(blob);
	need(pid > 0 && waitpid(pid, &status, 0) == pid && !status, "visitor");
	memcpy(&payload, region.base + DATA, sizeof(payload));
	memcpy(&signal, region.base + SIGNAL, sizeof(signal));
	need(payload == 0x1234567890abcdefu && signal == 42,
	     "the owner does not see what the visitor did");
	need(!conduit->ops.free(&region), "free");
	need(!conduit->ops.close(conduit), "close");
}

int main(void)
{
	const struct conduit_peer peer = { 1, 1, "here" };
	int tried = 0;

	if (conduit_register_all() || shmemg_open("cpu", -1, 0))
		return 1;
	space = mmap(NULL, 2 * BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (space == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	for (int i = 0; i < conduit_count * CONDUIT_NSEGMENTS; i++) {
		conduit = &conduit_table[i / CONDUIT_NSEGMENTS];
		segment = i % CONDUIT_NSEGMENTS;
		if (!(conduit->caps & CONDUIT_CAP_MAP) ||
		    conduit->ops.probe(&peer, segment) <= 0)
			continue;
		owner();
		tried++;
	}
	if (!tried)
		puts("no conduit reaches a peer on this node");
	return !tried;
}
