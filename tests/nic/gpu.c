/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The software NIC with memory that the CPU can't address, of a stand-in for
 * CUDA's driver: bytes and atomics between such memory of two processes.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair.h"

#define GPU_BYTES ((size_t)3 << 20)
#define BEFORE 4096 /* of the allocation, in front of the region */

static void *(*gpu_alloc)(size_t bytes);
static void *(*gpu_back)(const void *p);

static void symbol(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	pair_must(found != NULL, name);
	memcpy(function, &found, sizeof(found));
}

static void cuda_load(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW);

	if (!library)
		pair_die(dlerror());
	symbol(library, "fake_cuda_alloc", &gpu_alloc);
	symbol(library, "fake_cuda_back", &gpu_back);
}

/* The driver is found by its name, as others' programs find it. */
static void exec_with_cuda(char **argv, char *dir)
{
	const char *build = getenv("BUILDDIR");
	char library[4096], name[4096];

	pair_must(mkdtemp(dir) != NULL, "mkdtemp");
	snprintf(library, sizeof(library), "%s/tests/nic/.libs/libfakecuda.so",
		 build ? build : ".");
	snprintf(name, sizeof(name), "%s/libcuda.so.1", dir);
	pair_must(!symlink(library, name), "symlink");
	setenv("LD_LIBRARY_PATH", dir, 1);
	setenv("FAKE_CUDA", dir, 1);
	execv("/proc/self/exe", argv);
	pair_die("execv");
}

static void dir_remove(const char *dir)
{
	char name[4096];

	snprintf(name, sizeof(name), "%s/libcuda.so.1", dir);
	unlink(name);
	rmdir(dir);
}

/* The side's region in memory of the GPU; its host view is returned. */
static char *region_open(struct pair_side *side, struct ibv_mr **mr)
{
	char *memory = (char *)gpu_alloc(GPU_BYTES + BEFORE) + BEFORE;

	*mr = nic.reg_mr(side->pd, memory, GPU_BYTES,
			 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
				 IBV_ACCESS_REMOTE_READ |
				 IBV_ACCESS_REMOTE_ATOMIC);
	pair_must(*mr != NULL, "reg_mr of the GPU's memory");
	side->mine.memory = (uintptr_t)memory;
	side->mine.rkey = (*mr)->rkey;
	return gpu_back(memory);
}

static void fill(char *p, size_t bytes, int seed)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (char)(i * 11 + i / 4096 + (size_t)seed);
}

static void must_be_filled(const char *p, size_t bytes, int seed)
{
	for (size_t i = 0; i < bytes; i++)
		pair_must(p[i] == (char)(i * 11 + i / 4096 + (size_t)seed),
			  "another byte");
}

static void do_one(struct pair_side *side, struct ibv_send_wr *wr)
{
	pair_post(side, wr);
	pair_must(!pair_wait(side, NULL), "an error completion");
}

static void bytes_move(struct pair_side *side, const struct ibv_mr *mr,
		       char *back)
{
	const size_t n = (size_t)1500000;
	struct ibv_sge sge;
	struct ibv_send_wr wr =
		pair_request(side, IBV_WR_RDMA_WRITE, 0, n, n, &sge);

	sge.lkey = mr->lkey;
	fill(back, n, side->rank);
	do_one(side, &wr);
	pair_meet(side);
	must_be_filled(back + n, n, !side->rank);
	memset(back, 0, n);
	wr.opcode = IBV_WR_RDMA_READ;
	do_one(side, &wr);
	must_be_filled(back, n, side->rank);
	pair_meet(side);
}

/* From and to the CPU's own memory. */
static void sides_differ(struct pair_side *side, const char *back)
{
	struct ibv_sge sge;
	struct ibv_send_wr wr =
		pair_request(side, IBV_WR_RDMA_WRITE, 0, 64, 5000, &sge);

	sge.addr = (uintptr_t)side->memory;
	fill(side->memory, 5000, 7 + side->rank);
	do_one(side, &wr);
	pair_meet(side);
	must_be_filled(back + 64, 5000, 7 + !side->rank);
	memset(side->memory, 0, 5000);
	wr.opcode = IBV_WR_RDMA_READ;
	do_one(side, &wr);
	must_be_filled(side->memory, 5000, 7 + side->rank);
	pair_meet(side);
}

/* Both add to the same word, of side 0. */
static void atomics_move(struct pair_side *side, const struct ibv_mr *mr,
			 char *back)
{
	uint64_t *words = (uint64_t *)(void *)back;
	struct ibv_sge sge;
	struct ibv_send_wr wr =
		pair_request(side, IBV_WR_ATOMIC_FETCH_AND_ADD, 64, 0, 8, &sge);

	sge.lkey = mr->lkey;
	words[0] = 0;
	pair_meet(side);
	wr.wr.atomic.compare_add = 5;
	for (uint64_t i = 0; i < 200; i++) {
		do_one(side, &wr);
		pair_must(words[8] == i * 5, "what was fetched");
	}
	pair_meet(side);
	pair_must(words[0] == 1000, "the sum");
	pair_meet(side);
}

static void both(struct pair_side *side)
{
	struct ibv_mr *mr;
	char *back;

	cuda_load();
	pair_open(side, 16, 16);
	back = region_open(side, &mr);
	pair_connect(side);
	bytes_move(side, mr, back);
	sides_differ(side, back);
	atomics_move(side, mr, back);
	pair_meet(side);
	nic.dereg_mr(mr);
	pair_close(side);
}

int main(int argc, char **argv)
{
	const char *ready = getenv("FAKE_CUDA");
	char dir[] = "/tmp/nic-cuda-XXXXXX";
	int rc;

	(void)argc;
	if (!ready)
		exec_with_cuda(argv, dir);
	rc = pair_run(both, NULL, NULL);
	dir_remove(ready);
	return rc != 0;
}
