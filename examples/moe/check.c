/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

#include "moe.h"

/* What one PE finds; symmetric, because reductions read and write it. */
static struct verdict mine, all;

/* All the tokens of b by all experts, on this PE. */
static void compute_alone(struct batch *b, const struct model *m)
{
	const long npairs = b->ntokens * m->top_k;
	const size_t row_bytes = (size_t)m->hidden * sizeof(float);
	float *rows = local_alloc((size_t)npairs * row_bytes);

	batch_gate(b, m);
	for (int index = 0; index < m->experts; index++) {
		struct expert expert;

		expert_make(&expert, m, index);
		for (long pair = 0; pair < npairs; pair++) {
			float *row = rows + pair * m->hidden;

			if (b->chosen[pair] != index)
				continue;
			memcpy(row, b->x + pair / m->top_k * m->hidden,
			       row_bytes);
			expert_apply(&expert, m, row);
		}
		expert_free(&expert);
	}
	batch_combine(b, m, rows, NULL);
	free(rows);
}

static void compare(struct verdict *v, const struct batch *a,
		    const struct batch *b, int hidden)
{
	for (long t = 0; t < a->ntokens; t++) {
		const float *x = a->out + t * hidden, *y = b->out + t * hidden;

		v->nwrong += memcmp(x, y, (size_t)hidden * sizeof(*x)) != 0;
		for (int i = 0; i < hidden; i++)
			v->max_difference = fmax(v->max_difference,
						 fabs((double)x[i] - y[i]));
	}
}

/* A sum over tokens of a hash (FNV-1a) of place and bits, so that it does not
 * depend on the number of PEs. */
static unsigned long long checksum(const struct batch *b, long first,
				   int hidden)
{
	unsigned long long sum = 0;

	for (long t = 0; t < b->ntokens; t++) {
		uint64_t h = 0xcbf29ce484222325 ^ (uint64_t)(first + t);

		for (int i = 0; i < hidden; i++) {
			uint32_t bits;

			memcpy(&bits, b->out + t * hidden + i, sizeof(bits));
			h = (h ^ bits) * 0x100000001b3;
		}
		sum += h ^ h >> 32;
	}
	return sum;
}

void check_run(struct verdict *v, const struct args *args,
	       const struct model *m, const struct text *text,
	       struct share share, const struct batch *b)
{
	mine = (struct verdict){
		.checksum = checksum(b, share.first, m->hidden),
	};
	mine.alone = mine.checksum;
	if (args->check) {
		struct batch alone;

		batch_make(&alone, m, text, share);
		compute_alone(&alone, m);
		compare(&mine, b, &alone, m->hidden);
		mine.alone = checksum(&alone, share.first, m->hidden);
		batch_free(&alone);
	}
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all.nwrong, &mine.nwrong, 1);
	shmem_double_max_reduce(SHMEM_TEAM_WORLD, &all.max_difference,
				&mine.max_difference, 1);
	shmem_ulonglong_sum_reduce(SHMEM_TEAM_WORLD, &all.checksum,
				   &mine.checksum, 1);
	shmem_ulonglong_sum_reduce(SHMEM_TEAM_WORLD, &all.alone, &mine.alone,
				   1);
	*v = all;
}
