/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/hip/hip.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"

#define ALIGN_BYTES ((size_t)2 << 20)

static const struct kind {
	const char *name;
	unsigned int flag;
} kinds[] = {
#define KIND(name, flag) { name, flag },
	HIP_MEMORY_KINDS(KIND)
#undef KIND
};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* 0 it is good, 1 take the next, negative errno. */
static int try_kind(const struct kind *kind)
{
	const char *why;
	hipError_t err;
	void *p;
	int rc;

	err = hip_malloc_kind(&p, ALIGN_BYTES, kind->flag);
	if (err != hipSuccess) {
		shmemi_log_warn("GPU %d: no %s memory: %s", hip_device.index,
				kind->name, hipGetErrorString(err));
		(void)hipGetLastError();
		return 1;
	}
	rc = hip_selftest(p, &why);
	if (rc == 1)
		shmemi_log_warn("GPU %d: %s memory is not coherent: %s",
				hip_device.index, kind->name, why);
	if (rc == HIP_SELFTEST_ONE_BY_ONE) {
		shmemi_log_warn("GPU %d: %s memory is taken untried: kernels "
				"run one by one here (AMD_SERIALIZE_KERNEL, "
				"HIP_LAUNCH_BLOCKING, GPU_MAX_HW_QUEUES=1, a "
				"debugger?); those that wait for others hang",
				hip_device.index, kind->name);
		rc = 0;
	}
	(void)hipFree(p);
	return rc;
}

int hip_choose_memory(void)
{
	size_t i;
	int rc;

	for (i = 0; i < N_KINDS; i++) {
		rc = HIP_MEMORY_TESTED ? try_kind(&kinds[i]) : 0;
		if (rc < 0)
			return rc;
		if (rc)
			continue;
		hip_device.kind = kinds[i].flag;
		hip_device.info.memory = kinds[i].name;
		return 0;
	}
	shmemi_log_error("GPU %d has no memory that is coherent",
			 hip_device.index);
	return -ENOTSUP;
}

static int alloc_failed(hipError_t err, size_t bytes)
{
	size_t left = 0, total = 0;

	(void)hipMemGetInfo(&left, &total);
	return hip_check(err, "%zu MiB asked for, %zu of %zu MiB are free",
			 bytes >> 20, left >> 20, total >> 20);
}

/* Aligned, from a piece that is larger. */
static int alloc_within(size_t bytes, void **p)
{
	hipError_t err;
	char *base;
	int rc;

	err = hip_malloc_kind((void **)&base, bytes + ALIGN_BYTES,
			      hip_device.kind);
	if (err != hipSuccess)
		return alloc_failed(err, bytes);
	*p = base + (-(uintptr_t)base & (ALIGN_BYTES - 1));
	rc = hip_base_note(*p, base);
	if (rc)
		(void)hipFree(base);
	return rc;
}

static int alloc(size_t bytes, void **p)
{
	const hipError_t err = hip_malloc_kind(p, bytes, hip_device.kind);

	if (err != hipSuccess)
		return alloc_failed(err, bytes);
	if ((uintptr_t)*p % ALIGN_BYTES == 0)
		return 0;
	(void)hipFree(*p);
	return alloc_within(bytes, p);
}

int hip_mem_alloc(size_t bytes, void **p)
{
	const size_t whole = (bytes + ALIGN_BYTES - 1) & -ALIGN_BYTES;
	const int was = hip_enter();
	int rc;

	rc = alloc(whole, p);
	if (!rc) {
		rc = hip_fill(*p, 0, whole);
		if (rc)
			(void)hip_mem_free(*p);
	}
	hip_leave(was);
	return rc;
}

int hip_mem_free(void *p)
{
	void *base = hip_base_of(p);

	hip_base_forget(p);
	return hip_check(hipFree(base), "memory at %p can't be freed", p);
}

/* The same address on both sides, or it is of no use. */
static int same_address(void *p)
{
	void *seen = NULL;
	int rc;

	rc = hip_check(hipHostGetDevicePointer(&seen, p, 0),
		       "kernels can't use host memory at %p", p);
	if (rc || seen == p)
		return rc;
	shmemi_log_error("GPU %d sees host memory at %p at another address",
			 hip_device.index, p);
	return -EOPNOTSUPP;
}

int hip_host_alloc(size_t bytes, void **p)
{
	const int was = hip_enter();
	int rc;

	rc = hip_check(hipHostMalloc(p, bytes,
				     hipHostMallocPortable |
					     hipHostMallocMapped),
		       "%zu bytes of pinned host memory", bytes);
	hip_leave(was);
	if (rc)
		return rc;
	rc = same_address(*p);
	if (rc)
		(void)hipHostFree(*p);
	else
		memset(*p, 0, bytes);
	return rc;
}

int hip_host_free(void *p)
{
	return hip_check(hipHostFree(p), "host memory at %p can't be freed", p);
}

int hip_host_register(void *p, size_t bytes)
{
	const int was = hip_enter();
	hipError_t err;

	err = hipHostRegister(p, bytes,
			      hipHostRegisterPortable | hipHostRegisterMapped);
	hip_leave(was);
	if (err == hipErrorHostMemoryAlreadyRegistered)
		(void)hipGetLastError();
	else if (err != hipSuccess)
		return hip_check(err, "host memory at %p, %zu bytes", p, bytes);
	return same_address(p);
}

int hip_host_unregister(void *p)
{
	return hip_check(hipHostUnregister(p), "host memory at %p", p);
}

/* What stands for a device's registers in a test is memory like any other. */
int hip_io_register(void *p, size_t bytes, void **kernels)
{
	const int was = hip_enter();
	hipError_t err;

	err = hipHostRegister(p, bytes,
			      hipHostRegisterPortable | hipHostRegisterMapped |
				      hipHostRegisterIoMemory);
	if (err != hipSuccess) {
		(void)hipGetLastError();
		err = hipHostRegister(p, bytes,
				      hipHostRegisterPortable |
					      hipHostRegisterMapped);
	}
	hip_leave(was);
	if (err != hipSuccess)
		return hip_check(err,
				 "kernels can't be shown a device's page "
				 "at %p, %zu bytes",
				 p, bytes);
	return hip_check(hipHostGetDevicePointer(kernels, p, 0),
			 "kernels can't use the page at %p", p);
}

int hip_is_device(const void *p)
{
	hipPointerAttribute_t attr;

	if (hipPointerGetAttributes(&attr, p) == hipSuccess)
		return hip_is_device_kind(&attr);
	(void)hipGetLastError();
	return 0;
}
