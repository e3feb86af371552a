/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels, table and main of a test of the collectives whose TAKE_ is set. */
#define ROWS <shmem/collective.def>
#define ROW_COLL(stem, WITH, N, T, esize, body) \
	ROW_TAKEN(body, COLL_KERNELS)(stem, COLL, T)
#define ROW_BROADCAST(stem, WITH, N, T, esize, body) \
	ROW_TAKEN(body, COLL_KERNELS)(stem, BROADCAST, T)
#define ROW_ALLTOALLS(stem, WITH, N, T, esize, body) \
	ROW_TAKEN(body, COLL_KERNELS)(stem, ALLTOALLS, T)
#include "rows.h"

#undef ROW_COLL
#undef ROW_BROADCAST
#undef ROW_ALLTOALLS
#define ROW_COLL(stem, WITH, N, T, esize, body) \
	ROW_TAKEN(body, COLL_ENTRIES)(stem, esize, COLL_KIND(T), body)
#define ROW_BROADCAST ROW_COLL
#define ROW_ALLTOALLS ROW_COLL
static const struct gpu_row rows[] = {
#include "rows.h"
};

int main(void)
{
	return coll_main(rows, GPU_COUNT(rows));
}
