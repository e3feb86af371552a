/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoallv of every type, by its typed name, as a generic and on a stream:
 * each moves elements of its own size. C, and C++ by exchange_cxx.cc.
 * PES: 1 3
 * ENV: SHMEM_PLATFORM=cpu
 */
#include <stdio.h>
#include <string.h>
#include <shmemx.h>

#define MAX_PES 8
#define EACH 4
#define BYTES (EACH * MAX_PES * 16)

typedef int (*exchange)(void *dest, const void *source);

struct row {
	const char *name;
	size_t esize;
	exchange call;
	int on_stream;
};

static size_t nelems[MAX_PES], offsets[MAX_PES];
static unsigned char *dest, *source;

#define CALL(stem, T) \
	static int call_##stem(void *to, const void *from) \
	{ \
		return shmemx_##stem(SHMEM_TEAM_WORLD, (T *)to, nelems, \
				     offsets, (const T *)from, nelems, \
				     offsets); \
	}
#define SHMEMI_FN(stem, ret, params, ctx, N, T, ...) CALL(stem, T)
#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_TABLES <shmem/exchange.def>
#include <shmem/expand.h>

/* The generic has the types' own list within. */
#define DISTINCT(X) \
	X(float, float) X(double, double) X(longdouble, long double) \
	X(char, char) X(schar, signed char) X(short, short) X(int, int) \
	X(long, long) X(longlong, long long) X(uchar, unsigned char) \
	X(ushort, unsigned short) X(uint, unsigned int) \
	X(ulong, unsigned long) X(ulonglong, unsigned long long)
#define GENERIC(N, T) \
	static int generic_##N(void *to, const void *from) \
	{ \
		return shmemx_alltoallv(SHMEM_TEAM_WORLD, (T *)to, nelems, \
					offsets, (const T *)from, nelems, \
					offsets); \
	}
DISTINCT(GENERIC)

#define CALL_ON_STREAM(N, T, ...) \
	static int on_stream_##N(void *to, const void *from) \
	{ \
		return shmemx_##N##_alltoallv_on_stream( \
			SHMEM_TEAM_WORLD, (T *)to, nelems, offsets, \
			(const T *)from, nelems, offsets, NULL); \
	}
SHMEMI_TYPES_REAL(CALL_ON_STREAM, )
SHMEMI_TYPES_INTEGER_DISTINCT(CALL_ON_STREAM, )

static int on_stream_mem(void *to, const void *from)
{
	return shmemx_alltoallvmem_on_stream(SHMEM_TEAM_WORLD, to, nelems,
					     offsets, from, nelems, offsets,
					     NULL);
}

#define SHMEMI_FN(stem, ret, params, ctx, N, T, esize, body, args) \
	{ #stem, esize, call_##stem, 0 },
#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_TABLES <shmem/exchange.def>
#define ROW_GENERIC(N, T) { "generic " #N, sizeof(T), generic_##N, 0 },
#define ROW_ON_STREAM(N, T, ...) \
	{ #N " on a stream", sizeof(T), on_stream_##N, 1 },
static const struct row rows[] = {
#include <shmem/expand.h>
	DISTINCT(ROW_GENERIC)
	SHMEMI_TYPES_REAL(ROW_ON_STREAM, )
	SHMEMI_TYPES_INTEGER_DISTINCT(ROW_ON_STREAM, )
	{ "mem on a stream", 1, on_stream_mem, 1 },
};

/* Not 0, nor what any other place holds of the same exchange. */
static unsigned char sends(int from, int to, size_t i)
{
	return (unsigned char)(1 + from * 80 + to * 20 + (int)i % 17);
}

static void fill(const struct row *row)
{
	const size_t each = EACH * row->esize;

	memset(dest, 0, BYTES);
	for (int to = 0; to < shmem_n_pes(); to++)
		for (size_t i = 0; i < each; i++)
			source[(size_t)to * each + i] =
				sends(shmem_my_pe(), to, i);
}

static int verify(const struct row *row)
{
	const size_t each = EACH * row->esize, n = (size_t)shmem_n_pes();

	for (size_t i = 0; i < BYTES; i++) {
		int from = (int)(i / each);
		unsigned char want = i < n * each ? sends(from, shmem_my_pe(),
							  i % each) :
						    0;

		if (dest[i] != want) {
			printf("%s: byte %zu is %d, expected %d\n", row->name,
			       i, dest[i], want);
			return 1;
		}
	}
	return 0;
}

static int run(const struct row *row)
{
	int rc;

	fill(row);
	shmem_barrier_all();
	rc = row->call(dest, source);
	if (row->on_stream)
		shmemx_stream_synchronize(NULL);
	return rc || verify(row);
}

int main(void)
{
	int bad = 0;

	shmem_init();
	dest = (unsigned char *)shmem_malloc(BYTES);
	source = (unsigned char *)shmem_malloc(BYTES);
	for (size_t i = 0; i < MAX_PES; i++) {
		nelems[i] = EACH;
		offsets[i] = i * EACH;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		bad += run(&rows[i]);
	shmem_free(source);
	shmem_free(dest);
	shmem_finalize();
	return bad != 0;
}
