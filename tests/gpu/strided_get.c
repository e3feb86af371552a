/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every iget and ibget in every scope.
 * PES: all
 */
#include "call.h"
#include "strided.h"

#define ROWS <shmem/rma.def>
#define ROW_P(...)
#define ROW_G(...)
#define ROW_PUT(...)
#define TAKE_iget 0, 0
#define TAKE_ibget 0, 0
#define ROW_IPUT(stem, WITH, N, T, esize, body) \
	ROW_TAKEN(body, GPU_KERNELS_3)(stem, IPUT, WITH, T)
#define ROW_IBPUT(stem, WITH, N, T, esize, body) \
	ROW_TAKEN(body, GPU_KERNELS_3)(stem, IBPUT, WITH, T)
#include "rows.h"

#undef ROW_IPUT
#undef ROW_IBPUT
#define ROW_IPUT(stem, WITH, N, T, esize, body) \
	ROW_TAKEN(body, GPU_ENTRIES_3)(stem, WITH, esize, 0, body)
#define ROW_IBPUT ROW_IPUT
static const struct gpu_row rows[] = {
#include "rows.h"
};

int main(void)
{
	return strided_main(rows, GPU_COUNT(rows));
}
