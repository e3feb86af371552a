/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices in a folder of the test's own, and what is asked of them. */
#ifndef TESTS_GDA_NICS_FAKE_H
#define TESTS_GDA_NICS_FAKE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/gda/gda_impl.h"
#include "fake_verbs.h"
#include "gpu/gpu.h"
#include "host/segment.h"
#include "../env/capture.h"

#define CHECK(what) check(!!(what), #what, __FILE__, __LINE__)
void check(int ok, const char *what, const char *file, int line);

/* What stderr got since capture_start() has these words, or is nothing. */
#define CHECK_SAYS(words) check_says(words, __FILE__, __LINE__)
void check_says(const char *words, const char *file, int line);

/* A folder, libibverbs, and the topology of nics.xml, whose GPU this is. */
#define FAKE_GPU "0000:03:00.0"
void fake_open(void);
void fake_close(void);

/* A device with one port that is active, and RoCE v2 with IPv4 as GID 0. */
void fake_device(const char *name, const char *bus);
/* A file of a device; text NULL: there is none. */
void fake_file(const char *device, const char *leaf, const char *text);
void fake_gid(const char *device, int index, const char *gid, const char *type);
void fake_clear(void); /* no devices, and no SHMEM_ variables but the library */

/* Sets a variable, or with NULL takes it away, and reads them all. */
void set(const char *name, const char *value);

const struct fake_counts *counts(void);
void check_balance(void);

/*
 * The CPU's platform, but with a dmabuf at FAKE_DMABUF_OFFSET for any memory
 * unless fake_dmabuf_rc is an error, and a count of pages that kernels see.
 */
extern struct shmemg_platform fake_gpu;
extern int fake_dmabuf_rc, fake_pages;
#define FAKE_DMABUF_OFFSET 8192

#endif
