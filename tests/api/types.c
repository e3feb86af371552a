/* SPDX-License-Identifier: BSD-3-Clause */
/* View of the type classes: each type as a struct api_type. */
#include <string.h>
#include "api.h"
#include "types.h"

/* What fits: exact in a float, with room for sums. */
#define FIT(T, v) _Generic((T)0, \
	float: (v) % 4096, double: (v) % 4096, long double: (v) % 4096, \
	float _Complex: (v) % 4096 + (v) % 3 * 1.0iF, \
	double _Complex: (v) % 4096 + (v) % 3 * 1.0i, default: (v))

#define TYPE(N, T, ...) \
	static void set_##N(void *p, int64_t v) \
	{ \
		*(T *)p = (T)FIT(T, v); \
	} \
	static int64_t get_##N(const void *p) \
	{ \
		return (int64_t)*(const T *)p; \
	} \
	static long double real_##N(const void *p) \
	{ \
		return (long double)*(const T *)p; \
	} \
	static bool equal_##N(const void *a, const void *b) \
	{ \
		return *(const T *)a == *(const T *)b; \
	} \
	static void add_##N(void *sum, const void *p) \
	{ \
		*(T *)sum = (T)(*(T *)sum + *(const T *)p); \
	} \
	static void multiply_##N(void *product, const void *p) \
	{ \
		*(T *)product = (T)(*(T *)product * *(const T *)p); \
	} \
	const struct api_type api_type_##N = { \
		#N, sizeof(T), set_##N, equal_##N, get_##N, real_##N, \
		add_##N, multiply_##N \
	};
SHMEMI_TYPES_SUM(TYPE, )

static void set_bytes(unsigned char *p, size_t size, int64_t v)
{
	for (size_t i = 0; i < size; i++)
		p[i] = (unsigned char)((v >> 8 * (i % 8)) + i / 8);
}

#define SIZED(N, bytes) \
	static void set_##N(void *p, int64_t v) \
	{ \
		set_bytes(p, bytes, v); \
	} \
	static bool equal_##N(const void *a, const void *b) \
	{ \
		return !memcmp(a, b, bytes); \
	} \
	const struct api_type api_type_##N = { \
		.name = #N, .size = bytes, .set = set_##N, .equal = equal_##N \
	};
#define BITS(SIZE, ...) SIZED(bits##SIZE, SIZE / 8)
SHMEMI_SIZES(BITS, )
SIZED(mem, 1)
