/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/hip/hip.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/log.h"

int hip_errno(hipError_t err)
{
	switch (err) {
	case hipSuccess:
		return 0;
	case hipErrorOutOfMemory:
		return -ENOMEM;
	case hipErrorNotReady:
		return -EAGAIN;
	case hipErrorInvalidValue:
		return -EINVAL;
	case hipErrorNotSupported:
		return -EOPNOTSUPP;
	case hipErrorNoDevice:
	case hipErrorInvalidDevice:
	case hipErrorInsufficientDriver:
		return -ENODEV;
	default:
		return -EIO;
	}
}

int hip_check(hipError_t err, const char *fmt, ...)
{
	char what[256];
	va_list args;

	if (err == hipSuccess)
		return 0;
	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	shmemi_log_error("GPU %d: %s: %s", hip_device.index, what,
			 hipGetErrorString(err));
	(void)hipGetLastError();
	return hip_errno(err);
}
