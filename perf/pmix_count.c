/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts what a program asks of PMIx: preload it, and each process writes one
 * line of JSON to standard error when it calls PMIx_Finalize. Bytes are those
 * of byte objects, which is what libraries exchange; the server's own
 * information about the job is not counted.
 */
#include <dlfcn.h>
#include <pmix.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
	unsigned rank;
	long fences, puts, put_bytes, gets, get_bytes;
} count;

/* libpmix's own function behind ours. */
static void *next(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (!f) {
		fprintf(stderr, "pmix_count: no %s\n", name);
		abort();
	}
	return f;
}

static long object_bytes(const pmix_value_t *v)
{
	return v && v->type == PMIX_BYTE_OBJECT ? (long)v->data.bo.size : 0;
}

pmix_status_t PMIx_Init(pmix_proc_t *proc, pmix_info_t info[], size_t ninfo)
{
	pmix_status_t (*real)(pmix_proc_t *, pmix_info_t[], size_t) =
		next("PMIx_Init");
	pmix_status_t rc = real(proc, info, ninfo);

	if (rc == PMIX_SUCCESS && proc)
		count.rank = proc->rank;
	return rc;
}

pmix_status_t PMIx_Put(pmix_scope_t scope, const char key[], pmix_value_t *val)
{
	pmix_status_t (*real)(pmix_scope_t, const char[], pmix_value_t *) =
		next("PMIx_Put");

	count.puts++;
	count.put_bytes += object_bytes(val);
	return real(scope, key, val);
}

pmix_status_t PMIx_Fence(const pmix_proc_t procs[], size_t nprocs,
			 const pmix_info_t info[], size_t ninfo)
{
	pmix_status_t (*real)(const pmix_proc_t[], size_t, const pmix_info_t[],
			      size_t) = next("PMIx_Fence");

	count.fences++;
	return real(procs, nprocs, info, ninfo);
}

pmix_status_t PMIx_Fence_nb(const pmix_proc_t procs[], size_t nprocs,
			    const pmix_info_t info[], size_t ninfo,
			    pmix_op_cbfunc_t cbfunc, void *cbdata)
{
	pmix_status_t (*real)(const pmix_proc_t[], size_t, const pmix_info_t[],
			      size_t, pmix_op_cbfunc_t, void *) =
		next("PMIx_Fence_nb");

	count.fences++;
	return real(procs, nprocs, info, ninfo, cbfunc, cbdata);
}

pmix_status_t PMIx_Get(const pmix_proc_t *proc, const char key[],
		       const pmix_info_t info[], size_t ninfo,
		       pmix_value_t **val)
{
	pmix_status_t (*real)(const pmix_proc_t *, const char[],
			      const pmix_info_t[], size_t, pmix_value_t **) =
		next("PMIx_Get");
	pmix_status_t rc = real(proc, key, info, ninfo, val);

	if (rc == PMIX_SUCCESS && val && object_bytes(*val)) {
		count.gets++;
		count.get_bytes += object_bytes(*val);
	}
	return rc;
}

pmix_status_t PMIx_Finalize(const pmix_info_t info[], size_t ninfo)
{
	pmix_status_t (*real)(const pmix_info_t[], size_t) =
		next("PMIx_Finalize");
	char line[256];
	int bytes;

	bytes = snprintf(line, sizeof(line),
			 "pmix_count {\"rank\": %u, \"fences\": %ld, "
			 "\"puts\": %ld, \"put_bytes\": %ld, \"gets\": %ld, "
			 "\"get_bytes\": %ld}\n",
			 count.rank, count.fences, count.puts, count.put_bytes,
			 count.gets, count.get_bytes);
	/* One write, so that lines of different PEs do not mix. */
	if (write(STDERR_FILENO, line, (size_t)bytes) != bytes)
		abort();
	return real(info, ninfo);
}
