/* SPDX-License-Identifier: BSD-3-Clause */
/* For the layouts of what NICs read and write; plain C, for the host too. */
#ifndef SHMEM_DEVICE_GDA_WIRE_H
#define SHMEM_DEVICE_GDA_WIRE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define GDA_ASSERT(x) static_assert(x, #x)
#else
#define GDA_ASSERT(x) _Static_assert(x, #x)
#endif
#define GDA_ASSERT_SIZE(type, bytes) GDA_ASSERT(sizeof(struct type) == (bytes))
#define GDA_ASSERT_AT(type, member, bytes) \
	GDA_ASSERT(offsetof(struct type, member) == (bytes))

/* What an entry does: struct gda_op says what of. */
enum gda_kind {
	GDA_WRITE,	  /* bytes from local to remote */
	GDA_WRITE_INLINE, /* bytes of data to remote */
	GDA_READ,	  /* bytes from remote to local */
	GDA_ADD,	  /* data[0]; the value before goes to local */
	GDA_SWAP_IF,	  /* data[0] if it was data[1] */
	/* data[0] to the bits data[2] if it was data[1] in the bits data[3]. */
	GDA_MASKED_SWAP,
	/* data[0]; no carry goes out of the bits of data[1]. */
	GDA_MASKED_ADD
};

#endif
