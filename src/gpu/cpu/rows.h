/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of the platform; the contract is in gpu.h. */
#ifndef GPU_CPU_ROWS_H
#define GPU_CPU_ROWS_H

#include "gpu/gpu.h"

#define CPU_ROW(name, params) int cpu_##name params;
SHMEMG_OPS(CPU_ROW)
#undef CPU_ROW

#endif
