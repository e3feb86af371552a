/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/hip/hip.h"

#include <stdlib.h>
#include <errno.h>
#include <stdio.h>

#include "base/log.h"

struct hip_device hip_device = { .index = -1 };

/* Its reasons: no device is none, others are told apart for the user. */
static const char *count_reason(hipError_t err)
{
	switch (err) {
	case hipSuccess:
	case hipErrorNoDevice:
		return "no GPU is here";
	case hipErrorInsufficientDriver:
		return "there is no driver, or it is too old for the runtime";
	default:
		return hipGetErrorString(err);
	}
}

/*
 * NVIDIA's runtime otherwise loads a kernel when it is first launched, and
 * waits for those that run before it does, which may wait for just that kernel.
 */
static void load_at_once(void)
{
	setenv("CUDA_MODULE_LOADING", "EAGER", 0);
}

int hip_count(int *n, const char **why)
{
	hipError_t err;

	load_at_once();
	err = hipGetDeviceCount(n);

	if (err == hipSuccess && *n > 0)
		return 0;
	*n = 0;
	*why = count_reason(err);
	(void)hipGetLastError();
	return 0;
}

int hip_enter(void)
{
	int was;

	if (hipGetDevice(&was) != hipSuccess)
		return hip_device.index;
	if (was != hip_device.index)
		(void)hipSetDevice(hip_device.index);
	return was;
}

void hip_leave(int was)
{
	if (was != hip_device.index)
		(void)hipSetDevice(was);
}

/*
 * Where they don't, as NVIDIA's on PCI Express, an atomic of kernels is one of
 * two transfers, between which others change the word.
 */
static int host_atomics(int device)
{
	int native = 0;

	if (hipDeviceGetAttribute(&native,
				  hipDeviceAttributeHostNativeAtomicSupported,
				  device) != hipSuccess)
		(void)hipGetLastError();
	return native;
}

/* A device that this process may not see can't be asked for. */
int hip_peer_atomics(const char *bus)
{
	int native = 0, device;
	hipError_t err = hipDeviceGetByPCIBusId(&device, bus);

	if (err == hipSuccess)
		err = hipDeviceGetP2PAttribute(
			&native, hipDevP2PAttrNativeAtomicSupported,
			hip_device.index, device);
	if (err == hipSuccess)
		return native;
	(void)hipGetLastError();
	return -1;
}

static int read_info(int device)
{
	struct shmemg_info *info = &hip_device.info;
	hipDeviceProp_t prop;
	int rc;

	rc = hip_check(hipGetDeviceProperties(&prop, device),
		       "its properties can't be read");
	if (rc)
		return rc;
	snprintf(info->name, sizeof(info->name), "%.63s", prop.name);
	if (hipDeviceGetPCIBusId(info->bus, sizeof(info->bus), device) !=
	    hipSuccess)
		info->bus[0] = '\0';
	info->memory_bytes = prop.totalGlobalMem;
	info->device = device;
	info->wave_size = prop.warpSize;
	info->n_units = prop.multiProcessorCount;
	info->max_wg_items = prop.maxThreadsPerBlock;
	info->host_access = 0;
	info->host_atomics = host_atomics(device);
	return 0;
}

static int check_index(int device)
{
	const char *why = "";
	int n;

	(void)hip_count(&n, &why);
	if (device >= 0 && device < n)
		return 0;
	if (n)
		shmemi_log_error("GPU %d was asked for, but there are 0 to %d",
				 device, n - 1);
	else
		shmemi_log_error("GPU %d was asked for, but %s", device, why);
	return -ENODEV;
}

/*
 * Streams share the few queues that a GPU has; those of the highest priority
 * have others than most of the user's, so that no copy waits behind a kernel
 * that itself waits for the copy.
 */
static int make_copies(void)
{
	int lowest, highest, rc;

	rc = hip_check(hipDeviceGetStreamPriorityRange(&lowest, &highest),
		       "it doesn't tell its priorities");
	return rc ? rc :
		    hip_check(hipStreamCreateWithPriority(&hip_device.copies,
							  hipStreamNonBlocking,
							  highest),
			      "no stream can be made");
}

/* Stays the calling thread's device: the user's own launches go there. */
int hip_open(int device)
{
	int rc = check_index(device);

	if (rc)
		return rc;
	hip_device.index = device;
	rc = hip_check(hipSetDevice(device), "it can't be used");
	if (!rc)
		rc = read_info(device);
	if (!rc)
		rc = make_copies();
	if (rc)
		return rc;
	rc = hip_choose_memory();
	if (rc)
		(void)hip_close();
	return rc;
}

int hip_close(void)
{
	const int rc = hip_check(hipStreamDestroy(hip_device.copies),
				 "its stream can't be given back");

	hip_device.index = -1;
	return rc;
}

int hip_info(struct shmemg_info *info)
{
	*info = hip_device.info;
	return 0;
}
