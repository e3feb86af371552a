/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>
#define SHMEMI_NO_GENERIC
#include <shmem.h>
#include <shmem/types.h>
#include "mock.h"

struct type_name {
	const char *name, *distinct;
};

#define DISTINCT(N, T, ...) T * : #N,
#define NAME(N, T, ...) \
	{ #N, _Generic((T *)0, SHMEMI_TYPES_RMA_DISTINCT(DISTINCT, ) default \
		       : "") },
static const struct type_name names[] = {
	SHMEMI_TYPES_NARROW_FIXED(NAME, ) SHMEMI_TYPES_NARROW_UFIXED(NAME, )
		SHMEMI_TYPES_WIDE_FIXED(NAME, ) SHMEMI_TYPES_WIDE_UFIXED(NAME, )
			NAME(size, size_t) NAME(ptrdiff, ptrdiff_t)
};

static const char *distinct_of(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].name, name))
			return names[i].distinct;
	return name;
}

static int same_type(const char *a, const char *b)
{
	return !strcmp(distinct_of(a), distinct_of(b));
}

int mock_check(const char *ctx, const char *N, const char *verb)
{
	char prefix[16], got[16], rest[64];

	snprintf(prefix, sizeof(prefix), "shmem_%s", ctx);
	if (!strncmp(mock_called, prefix, strlen(prefix)) &&
	    sscanf(mock_called + strlen(prefix), "%15[a-z0-9]_%63s", got,
		   rest) == 2 &&
	    same_type(got, N) && !strcmp(rest, verb) &&
	    mock_ctx == (*ctx ? MOCK_CTX : SHMEM_CTX_DEFAULT))
		return 0;
	printf("%s%s_%s: called %s, context %p\n", prefix, N, verb, mock_called,
	       (void *)mock_ctx);
	return 1;
}
