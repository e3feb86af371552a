/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PMIx client for the tests of oshrun, by argv[1]:
 *   fence            init, fence, finalize
 *   abort STATUS     the last PE aborts, the others wait in a fence
 *   leave CODE       the last PE exits with CODE between init and the fence
 *   place            prints CPUSET and LOCALITY_STRING
 *   keys             prints the keys that a launcher owes, one a line
 */
#include <pmix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pmix_proc_t self, all;

static void die(const char *what, pmix_status_t rc)
{
	fprintf(stderr, "client: %s: %s\n", what, PMIx_Error_string(rc));
	exit(3);
}

static pmix_value_t *get(const pmix_proc_t *proc, const char *key)
{
	pmix_value_t *v;
	pmix_status_t rc = PMIx_Get(proc, key, NULL, 0, &v);

	if (rc != PMIX_SUCCESS)
		die(key, rc);
	return v;
}

static void print_key(const char *name, const pmix_proc_t *proc,
		      const char *key)
{
	pmix_value_t *v = get(proc, key);

	printf("%u %s=", self.rank, name);
	if (v->type == PMIX_STRING)
		printf("%s\n", v->data.string);
	else if (v->type == PMIX_UINT16)
		printf("%u\n", v->data.uint16);
	else
		printf("%u\n", v->data.uint32);
	PMIX_VALUE_RELEASE(v);
}

static void print_keys(void)
{
	print_key("UNIV_SIZE", &all, PMIX_UNIV_SIZE);
	print_key("JOB_SIZE", &all, PMIX_JOB_SIZE);
	print_key("LOCAL_SIZE", &all, PMIX_LOCAL_SIZE);
	print_key("NODE_SIZE", &all, PMIX_NODE_SIZE);
	print_key("MAX_PROCS", &all, PMIX_MAX_PROCS);
	print_key("LOCAL_PEERS", &all, PMIX_LOCAL_PEERS);
	print_key("NUM_NODES", &all, PMIX_NUM_NODES);
	print_key("JOB_NUM_APPS", &all, PMIX_JOB_NUM_APPS);
	print_key("LOCAL_RANK", &self, PMIX_LOCAL_RANK);
	print_key("NODE_RANK", &self, PMIX_NODE_RANK);
	print_key("NODEID", &self, PMIX_NODEID);
	print_key("HOSTNAME", &self, PMIX_HOSTNAME);
	print_key("APPNUM", &self, PMIX_APPNUM);
}

static void print_place(void)
{
	print_key("CPUSET", &self, PMIX_CPUSET);
	print_key("LOCALITY", &self, PMIX_LOCALITY_STRING);
}

static void fence(void)
{
	pmix_status_t rc = PMIx_Fence(&all, 1, NULL, 0);

	/* Partial: a PE has left without finalizing. */
	if (rc != PMIX_SUCCESS && rc != PMIX_ERR_PARTIAL_SUCCESS)
		die("fence", rc);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "fence";
	const int code = argc > 2 ? atoi(argv[2]) : 0;
	pmix_status_t rc = PMIx_Init(&self, NULL, 0);
	int last;

	if (rc != PMIX_SUCCESS)
		die("init", rc);
	PMIX_LOAD_PROCID(&all, self.nspace, PMIX_RANK_WILDCARD);
	last = self.rank + 1 == get(&all, PMIX_JOB_SIZE)->data.uint32;
	if (last && !strcmp(mode, "abort")) {
		PMIx_Abort(code, "as told", NULL, 0);
		_exit(code);
	}
	if (last && !strcmp(mode, "leave"))
		_exit(code);
	if (!strcmp(mode, "keys"))
		print_keys();
	if (!strcmp(mode, "place"))
		print_place();
	fence();
	rc = PMIx_Finalize(NULL, 0);
	if (rc != PMIX_SUCCESS)
		die("finalize", rc);
	return 0;
}
