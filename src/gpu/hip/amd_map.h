/* SPDX-License-Identifier: BSD-3-Clause */
/* What AMD's HIP runtime has of its own; see hip.h. */
#ifndef SHMEMG_AMD_MAP_H
#define SHMEMG_AMD_MAP_H

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <hip/hip_runtime_api.h>
#pragma GCC diagnostic pop

#define HIP_WORD "hip"

/* Older headers don't know it; their runtimes refuse it. */
#ifndef hipDeviceMallocUncached
#define hipDeviceMallocUncached 0x3
#endif

#define HIP_MEMORY_KINDS(K) \
	K("uncached", hipDeviceMallocUncached) \
	K("fine-grained", hipDeviceMallocFinegrained) \
	K("coarse-grained", hipDeviceMallocDefault)

#define HIP_MEMORY_TESTED 1

static inline hipError_t hip_malloc_kind(void **p, size_t bytes,
					 unsigned int kind)
{
	return hipExtMallocWithFlags(p, bytes, kind);
}

static inline int hip_is_device_kind(const hipPointerAttribute_t *a)
{
	return a->HIP_POINTER_KIND == hipMemoryTypeDevice && !a->isManaged;
}

#endif
