/* SPDX-License-Identifier: BSD-3-Clause */
/* What bench.c moves: blocks whose bytes tell who sent them to whom. */
#ifndef PERF_GPU_BENCH_DATA_H
#define PERF_GPU_BENCH_DATA_H

/* Of what PE `from` sends PE `to`: it repeats after that. */
#define TILE ((size_t)251 * 256)

static const unsigned char *tile_of(int from, int to, size_t bytes)
{
	static unsigned char tile[TILE];

	for (size_t i = 0; i < TILE && i < bytes; i++)
		tile[i] = (unsigned char)(from * 31 + to * 7 + (int)(i % 251) +
					  1);
	return tile;
}

static size_t tile_bytes(size_t at, size_t bytes)
{
	return bytes - at < TILE ? bytes - at : TILE;
}

/* Block `to` of src is for PE `to`; dst is zeros. */
static void fill(struct bench_args *args, size_t bytes, int blocks)
{
	unsigned char *host = (unsigned char *)malloc(bytes);

	for (int to = 0; to < blocks; to++) {
		const unsigned char *tile = tile_of(lib_me, to, bytes);

		for (size_t at = 0; at < bytes; at += TILE)
			memcpy(host + at, tile, tile_bytes(at, bytes));
		lib_to_device(args->src + (size_t)to * bytes, host, bytes);
	}
	memset(host, 0, bytes);
	for (int to = 0; to < blocks; to++)
		lib_to_device(args->dst + (size_t)to * bytes, host, bytes);
	free(host);
	lib_barrier();
}

/* Block `from` of dst came from PE `from`, or all of it from one PE. */
static void check(const char *measure, struct bench_args *args, size_t bytes,
		  int blocks, int one_from)
{
	unsigned char *host = (unsigned char *)malloc(bytes);
	int to = blocks > 1 || lib_n_pes == 1 ? lib_me : 0;

	for (int b = 0; b < blocks; b++) {
		const unsigned char *tile =
			tile_of(one_from < 0 ? b : one_from, to, bytes);

		lib_to_host(host, args->dst + (size_t)b * bytes, bytes);
		for (size_t at = 0; at < bytes; at += TILE)
			if (memcmp(host + at, tile, tile_bytes(at, bytes)))
				fail(measure, bytes);
	}
	free(host);
}

#endif
