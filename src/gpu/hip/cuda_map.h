/* SPDX-License-Identifier: BSD-3-Clause */
/* HIP's names in use here, of the CUDA runtime; see hip.h. */
#ifndef SHMEMG_CUDA_MAP_H
#define SHMEMG_CUDA_MAP_H

#include <cuda_runtime_api.h>

#define HIP_WORD "cuda"
#define HIP_MEMORY_KINDS(K) K("device", 0)
#define HIP_MEMORY_TESTED 0

#define hipDeviceProp_t cudaDeviceProp_t
#define hipError_t cudaError_t
#define hipEvent_t cudaEvent_t
#define hipGraphExec_t cudaGraphExec_t
#define hipGraph_t cudaGraph_t
#define hipIpcMemHandle_t cudaIpcMemHandle_t
#define hipPointerAttribute_t cudaPointerAttributes_t
#define hipStream_t cudaStream_t

typedef struct cudaDeviceProp cudaDeviceProp_t;
typedef struct cudaPointerAttributes cudaPointerAttributes_t;

#define hipErrorHostMemoryAlreadyRegistered \
	cudaErrorHostMemoryAlreadyRegistered
#define hipErrorInsufficientDriver cudaErrorInsufficientDriver
#define hipErrorInvalidDevice cudaErrorInvalidDevice
#define hipErrorInvalidValue cudaErrorInvalidValue
#define hipErrorNoDevice cudaErrorNoDevice
#define hipErrorNotReady cudaErrorNotReady
#define hipErrorNotSupported cudaErrorNotSupported
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipSuccess cudaSuccess
#define hipHostMallocMapped cudaHostAllocMapped
#define hipHostMallocPortable cudaHostAllocPortable
#define hipHostRegisterIoMemory cudaHostRegisterIoMemory
#define hipHostRegisterMapped cudaHostRegisterMapped
#define hipHostRegisterPortable cudaHostRegisterPortable
#define hipDevP2PAttrNativeAtomicSupported cudaDevP2PAttrNativeAtomicSupported
#define hipDeviceAttributeHostNativeAtomicSupported \
	cudaDevAttrHostNativeAtomicSupported
#define hipIpcMemLazyEnablePeerAccess cudaIpcMemLazyEnablePeerAccess
#define hipMemcpyDefault cudaMemcpyDefault
#define hipStreamCaptureModeRelaxed cudaStreamCaptureModeRelaxed
#define hipStreamNonBlocking cudaStreamNonBlocking

#define hipDeviceGetAttribute cudaDeviceGetAttribute
#define hipDeviceGetByPCIBusId cudaDeviceGetByPCIBusId
#define hipDeviceGetP2PAttribute cudaDeviceGetP2PAttribute
#define hipDeviceGetPCIBusId cudaDeviceGetPCIBusId
#define hipDeviceGetStreamPriorityRange cudaDeviceGetStreamPriorityRange
#define hipEventCreate cudaEventCreate
#define hipEventDestroy cudaEventDestroy
#define hipEventElapsedTime cudaEventElapsedTime
#define hipEventRecord cudaEventRecord
#define hipEventSynchronize cudaEventSynchronize
#define hipFree cudaFree
#define hipGetDevice cudaGetDevice
#define hipGetDeviceCount cudaGetDeviceCount
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipGetErrorString cudaGetErrorString
#define hipGetLastError cudaGetLastError
#define hipGraphDestroy cudaGraphDestroy
#define hipGraphExecDestroy cudaGraphExecDestroy
#define hipGraphInstantiate(exec, graph, node, log, bytes) \
	cudaGraphInstantiateWithFlags(exec, graph, 0)
#define hipGraphLaunch cudaGraphLaunch
#define hipHostFree cudaFreeHost
#define hipHostGetDevicePointer cudaHostGetDevicePointer
#define hipHostMalloc cudaHostAlloc
#define hipHostRegister cudaHostRegister
#define hipHostUnregister cudaHostUnregister
#define hipIpcCloseMemHandle cudaIpcCloseMemHandle
#define hipIpcGetMemHandle cudaIpcGetMemHandle
#define hipIpcOpenMemHandle cudaIpcOpenMemHandle
#define hipLaunchKernel cudaLaunchKernel
#define hipMemGetInfo cudaMemGetInfo
#define hipMemcpyAsync cudaMemcpyAsync
#define hipMemsetAsync cudaMemsetAsync
#define hipOccupancyMaxActiveBlocksPerMultiprocessor \
	cudaOccupancyMaxActiveBlocksPerMultiprocessor
#define hipPointerGetAttributes cudaPointerGetAttributes
#define hipSetDevice cudaSetDevice
#define hipStreamBeginCapture cudaStreamBeginCapture
#define hipStreamCreateWithFlags cudaStreamCreateWithFlags
#define hipStreamCreateWithPriority cudaStreamCreateWithPriority
#define hipStreamDestroy cudaStreamDestroy
#define hipStreamEndCapture cudaStreamEndCapture
#define hipStreamQuery cudaStreamQuery
#define hipDeviceSynchronize cudaDeviceSynchronize
#define hipStreamSynchronize cudaStreamSynchronize
#define hipStreamWaitEvent cudaStreamWaitEvent

static inline hipError_t hip_malloc_kind(void **p, size_t bytes,
					 unsigned int kind)
{
	(void)kind;
	return cudaMalloc(p, bytes);
}

static inline int hip_is_device_kind(const hipPointerAttribute_t *a)
{
	return a->type == cudaMemoryTypeDevice;
}

#endif
