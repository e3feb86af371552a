/* SPDX-License-Identifier: BSD-3-Clause */
/* SHMEMX_KERNEL on the CPU. */
#ifndef SHMEM_DEVICE_KERNEL_CPU_H
#define SHMEM_DEVICE_KERNEL_CPU_H

#define SHMEMX_KERNEL(name, type, arg) \
	static void name##_item(type arg); \
	static void name(const void *args) \
	{ \
		name##_item(*(const type *)args); \
	} \
	static const struct shmemx_kernel name##_kernel \
		__attribute__((unused)) = { #name, name, NULL, \
					    &shmemd_runtime }; \
	static void name##_item(type arg)

#endif
