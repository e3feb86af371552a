/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libfakecuda.so stands for libcuda.so.1. It has those of the driver's
 * functions that nic_gpu.c declares for itself, and these.
 */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stddef.h>
#include <stdint.h>

struct ipc_handle;

/* Memory that the CPU faults on; where the CPU can look at the same byte. */
void *fake_cuda_alloc(size_t bytes);
void *fake_cuda_back(const void *p);

int cuPointerGetAttribute(void *value, int attribute, uint64_t p);
int cuMemGetAddressRange_v2(uint64_t *base, size_t *bytes, uint64_t p);
int cuCtxSetCurrent(void *context);
int cuStreamCreateWithPriority(void **stream, unsigned int flags, int priority);
int cuStreamDestroy_v2(void *stream);
int cuStreamSynchronize(void *stream);
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes,
			 void *stream);
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream);
int cuMemHostAlloc(void **p, size_t bytes, unsigned int flags);
int cuMemFreeHost(void *p);
int cuIpcGetMemHandle(struct ipc_handle *handle, uint64_t p);
int cuIpcOpenMemHandle_v2(uint64_t *p, struct ipc_handle handle,
			  unsigned int flags);
int cuIpcCloseMemHandle(uint64_t p);

#endif
