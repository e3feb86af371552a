/* SPDX-License-Identifier: BSD-3-Clause */
#include <time.h>

#include "nic_impl.h"

uint64_t nic_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}
