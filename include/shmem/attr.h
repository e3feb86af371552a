/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start-up without a launcher's help: by a unique id that the caller spreads,
 * or by the caller's own allgather and barrier (PyTorch, RCCL, MPI).
 */
#ifndef SHMEM_ATTR_H
#define SHMEM_ATTR_H

#include <stddef.h>

#define SHMEMX_UNIQUEID_BYTES 128

typedef struct {
	char internal[SHMEMX_UNIQUEID_BYTES];
} shmemx_uniqueid_t;

enum shmemx_init_kind {
	SHMEMX_INIT_LAUNCHER, /* as shmem_init: a PMIx server, else one PE */
	SHMEMX_INIT_UNIQUEID,
	SHMEMX_INIT_FUNCTIONS,
};

/*
 * What shmemx_init_attr needs to know; zero what does not apply.
 *
 * size_bytes   sizeof(shmemx_init_attr_t), so that the struct can grow
 * kind         one of enum shmemx_init_kind
 * pe, n_pes    this process's number, 0 to n_pes - 1, and how many there are
 * uniqueid     UNIQUEID: the same id on every PE; PE 0 must be the process
 *              that made it
 * allgather    FUNCTIONS: collective; gathers `bytes` bytes of each PE from
 *              src into dst, in the order of PEs; 0 is success
 * barrier      FUNCTIONS: collective; 0 is success
 * abort        FUNCTIONS, may be NULL: prints msg unless that is NULL, ends all
 *              PEs with status
 * arg          FUNCTIONS: passed through
 */
typedef struct {
	size_t size_bytes;
	enum shmemx_init_kind kind;
	int pe;
	int n_pes;
	const shmemx_uniqueid_t *uniqueid;
	int (*allgather)(const void *src, void *dst, size_t bytes, void *arg);
	int (*barrier)(void *arg);
	void (*abort)(int status, const char *msg, void *arg);
	void *arg;
} shmemx_init_attr_t;

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes a unique id: a random key and the address on which this process
 * listens from now on. Called by the process that will be PE 0.
 * Returns 0, or nonzero after one line that says what failed.
 */
int shmemx_get_uniqueid(shmemx_uniqueid_t *uniqueid);

/*
 * Initialises the library as shmem_init_thread(requested, provided) does, but
 * with PE numbers and bootstrap from attr. Collective over attr->n_pes
 * processes. provided may be NULL. Returns 0, or nonzero after one line that
 * says what was wrong; the library then stays uninitialised.
 */
int shmemx_init_attr(int requested, int *provided,
		     const shmemx_init_attr_t *attr);

#ifdef __cplusplus
}
#endif

#endif
