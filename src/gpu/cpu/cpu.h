/* SPDX-License-Identifier: BSD-3-Clause */
/* What the runtime sets on the cpu platform beside the rows of gpu.h. */
#ifndef GPU_CPU_CPU_H
#define GPU_CPU_CPU_H

/* Work-items of a wave, 32 or 64 (the default). Before the first launch. */
void shmemg_cpu_set_wave(int wave_size);
int shmemg_cpu_wave(void);

/* Whether work-items make gangs (shmem/device/arch.h), or each is one: 0. */
void shmemg_cpu_set_gangs(int on);

#endif
