/* SPDX-License-Identifier: BSD-3-Clause */
/* A conduit's table is completed, or refused if its bits and rows disagree. */
#include <errno.h>
#include <stdio.h>

#include "conduits/conduit.h"

static int probe(const struct conduit_peer *peer, enum conduit_segment seg)
{
	(void)peer, (void)seg;
	return 7;
}

static int open_close(struct conduit *conduit)
{
	(void)conduit;
	return 0;
}

static int amo(struct conduit_queue *q, struct conduit_ep *ep,
	       enum conduit_amo op, size_t bytes, enum conduit_segment seg,
	       size_t offset, uint64_t operand, uint64_t cond, void *old,
	       int flags)
{
	(void)q, (void)ep, (void)op, (void)bytes, (void)seg, (void)offset;
	(void)operand, (void)cond, (void)old, (void)flags;
	return 0;
}

static int bad;

static void expect(const char *what, int is, int want)
{
	if (is == want)
		return;
	printf("%s: %d, expected %d\n", what, is, want);
	bad = 1;
}

int main(void)
{
	struct conduit table = { .name = "test" }, slot;
	const struct conduit_peer peer = { 0, 1, "here" };

	expect("no probe", conduit_register(&slot, &table), -EINVAL);
	table.ops.probe = probe;
	table.ops.open = open_close;
	table.ops.close = open_close;
	expect("control only", conduit_register(&slot, &table), 0);
	expect("own row", slot.ops.probe(&peer, CONDUIT_HEAP), 7);
	expect("filled row", slot.ops.quiet(NULL, NULL), -ENOSYS);
	expect("filled row",
	       slot.ops.put(NULL, NULL, CONDUIT_HEAP, 0, NULL, 0, 0), -ENOSYS);
	table.caps = CONDUIT_CAP_AMO;
	expect("bit without row", conduit_register(&slot, &table), -EINVAL);
	table.ops.amo = amo;
	expect("bit and row", conduit_register(&slot, &table), 0);
	table.caps = 0;
	expect("row without bit", conduit_register(&slot, &table), -EINVAL);
	return bad;
}
