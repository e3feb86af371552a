/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/hip/hip.h"

#include <string.h>

int hip_copy_async(void *dst, const void *src, size_t bytes,
		   shmemg_stream stream)
{
	if (!bytes)
		return 0;
	return hip_check(hipMemcpyAsync(dst, src, bytes, hipMemcpyDefault,
					stream),
			 "copy of %zu bytes from %p to %p", bytes, src, dst);
}

int hip_fill_async(void *dst, int byte, size_t bytes, shmemg_stream stream)
{
	if (!bytes)
		return 0;
	return hip_check(hipMemsetAsync(dst, byte, bytes, stream),
			 "fill of %zu bytes at %p", bytes, dst);
}

int hip_copy(void *dst, const void *src, size_t bytes)
{
	const int rc = hip_copy_async(dst, src, bytes, hip_device.copies);

	return rc ? rc : hip_stream_sync(hip_device.copies);
}

int hip_fill(void *dst, int byte, size_t bytes)
{
	int rc;

	if (!hip_is_device(dst)) {
		memset(dst, byte, bytes);
		return 0;
	}
	rc = hip_fill_async(dst, byte, bytes, hip_device.copies);
	return rc ? rc : hip_stream_sync(hip_device.copies);
}
