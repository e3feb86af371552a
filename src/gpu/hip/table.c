/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/hip/hip.h"

const struct shmemg_platform SIROCCO_GPU_PLATFORM = {
	.name = HIP_WORD,
#define ROW(name, params) .name = hip_##name,
	SHMEMG_OPS(ROW)
#undef ROW
};
