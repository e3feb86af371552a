/* SPDX-License-Identifier: BSD-3-Clause */
/* The template registers, and none of its holes passes for done. */
#include <errno.h>
#include <stdio.h>

#include "conduits/conduit.h"

extern const struct conduit conduit_template;

int main(void)
{
	const struct conduit_peer peer = { 1, 0, "elsewhere" };
	struct conduit slot;
	uint64_t old;
	int bad = conduit_register(&slot, &conduit_template);

	bad |= slot.ops.probe(&peer, CONDUIT_HEAP) != 0;
	bad |= slot.ops.open(&slot) != -ENOSYS;
	bad |= slot.ops.put(NULL, NULL, CONDUIT_HEAP, 0, NULL, 8, 0) != -ENOSYS;
	bad |= slot.ops.get(NULL, NULL, NULL, CONDUIT_HEAP, 0, 8, 0) != -ENOSYS;
	bad |= slot.ops.put_signal(NULL, NULL, CONDUIT_HEAP, 0, NULL, 8,
				   CONDUIT_HEAP, 0, 1, CONDUIT_SET,
				   0) != -ENOSYS;
	bad |= slot.ops.fence(NULL) != -ENOSYS;
	bad |= slot.ops.quiet(NULL, NULL) != -ENOSYS;
	bad |= slot.ops.amo(NULL, NULL, CONDUIT_ADD, 8, CONDUIT_HEAP, 0, 1, 0,
			    &old, 0) != -ENOSYS;
	return bad;
}
