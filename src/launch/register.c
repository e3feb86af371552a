/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/register.h"

#include <pmix_server.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/job.h"
#include "launch/options.h"

enum { JOB_KEYS = 12, PE_KEYS = 8 };

static void add_u32(pmix_info_t *info, size_t *n, const char *key, uint32_t v)
{
	PMIX_INFO_LOAD(&info[*n], key, &v, PMIX_UINT32);
	(*n)++;
}

static void add_text(pmix_info_t *info, size_t *n, const char *key,
		     const char *text, pmix_data_type_t type)
{
	PMIX_INFO_LOAD(&info[*n], key, text, type);
	(*n)++;
}

/* "0,1,2,..."; NULL without memory. */
static char *list_ranks(unsigned npes)
{
	size_t room = (size_t)npes * 6 + 1, used = 0;
	char *list = malloc(room);

	if (!list)
		return NULL;
	for (unsigned i = 0; i < npes; i++)
		used += (size_t)snprintf(list + used, room - used,
					 i ? ",%u" : "%u", i);
	return list;
}

static pmix_status_t add_regex(pmix_info_t *info, size_t *n, const char *key,
			       pmix_status_t (*generate)(const char *, char **),
			       const char *text)
{
	char *regex = NULL;
	/* PMIx 5 cuts its input, in spite of the const. */
	char *copy = strdup(text);
	pmix_status_t rc = copy ? generate(copy, &regex) : PMIX_ERR_NOMEM;

	if (rc == PMIX_SUCCESS)
		add_text(info, n, key, regex, PMIX_REGEX);
	free(regex);
	free(copy);
	return rc;
}

static pmix_status_t add_maps(const struct job *job, pmix_info_t *info,
			      size_t *n)
{
	char *ranks = list_ranks(job->npes);
	pmix_status_t rc = PMIX_ERR_NOMEM;

	if (!ranks)
		return rc;
	add_text(info, n, PMIX_LOCAL_PEERS, ranks, PMIX_STRING);
	rc = add_regex(info, n, PMIX_NODE_MAP, PMIx_generate_regex, job->host);
	if (rc == PMIX_SUCCESS)
		rc = add_regex(info, n, PMIX_PROC_MAP, PMIx_generate_ppn,
			       ranks);
	free(ranks);
	return rc;
}

static void add_binding(const struct pe *pe, pmix_info_t *keys, size_t *n)
{
	char source[] = "hwloc", *text;
	const pmix_cpuset_t set = { .source = source, .bitmap = pe->bitmap };

	if (PMIx_server_generate_cpuset_string(&set, &text) == PMIX_SUCCESS) {
		add_text(keys, n, PMIX_CPUSET, text, PMIX_STRING);
		free(text);
	}
	if (PMIx_server_generate_locality_string(&set, &text) == PMIX_SUCCESS) {
		add_text(keys, n, PMIX_LOCALITY_STRING, text, PMIX_STRING);
		free(text);
	}
}

static void add_pe(const struct job *job, unsigned rank, pmix_info_t *info)
{
	const struct pe *pe = &job->pes[rank];
	pmix_info_t *keys;
	pmix_data_array_t array = { .type = PMIX_INFO };
	uint16_t local = (uint16_t)rank;
	pmix_rank_t global = rank;
	size_t n = 0;

	PMIX_INFO_CREATE(keys, PE_KEYS);
	PMIX_INFO_LOAD(&keys[n], PMIX_RANK, &global, PMIX_PROC_RANK);
	n++;
	PMIX_INFO_LOAD(&keys[n], PMIX_LOCAL_RANK, &local, PMIX_UINT16);
	n++;
	PMIX_INFO_LOAD(&keys[n], PMIX_NODE_RANK, &local, PMIX_UINT16);
	n++;
	add_u32(keys, &n, PMIX_NODEID, 0);
	add_u32(keys, &n, PMIX_APPNUM, pe->app);
	add_text(keys, &n, PMIX_HOSTNAME, job->host, PMIX_STRING);
	if (pe->bitmap)
		add_binding(pe, keys, &n);
	array.array = keys;
	array.size = n;
	PMIX_INFO_LOAD(info, PMIX_PROC_INFO_ARRAY, &array, PMIX_DATA_ARRAY);
	PMIX_INFO_FREE(keys, PE_KEYS);
}

static pmix_status_t register_keys(const struct job *job)
{
	pmix_info_t *info;
	size_t n = 0, room = JOB_KEYS + job->npes;
	pmix_status_t rc;

	PMIX_INFO_CREATE(info, room);
	rc = add_maps(job, info, &n);
	if (rc != PMIX_SUCCESS)
		goto free_info;
	/* PMIx 5 puts its shared memory there, else into TMPDIR. */
	add_text(info, &n, PMIX_NSDIR, job->guarded->session, PMIX_STRING);
	add_text(info, &n, PMIX_TMPDIR, job->guarded->session, PMIX_STRING);
	add_u32(info, &n, PMIX_UNIV_SIZE, job->npes);
	add_u32(info, &n, PMIX_JOB_SIZE, job->npes);
	add_u32(info, &n, PMIX_LOCAL_SIZE, job->npes);
	add_u32(info, &n, PMIX_NODE_SIZE, job->npes);
	add_u32(info, &n, PMIX_MAX_PROCS, job->npes);
	add_u32(info, &n, PMIX_NUM_NODES, 1);
	add_u32(info, &n, PMIX_JOB_NUM_APPS, job->opt->napps);
	for (unsigned i = 0; i < job->npes; i++)
		add_pe(job, i, &info[n++]);
	rc = PMIx_server_register_nspace(job->nspace, (int)job->npes, info, n,
					 NULL, NULL);
free_info:
	PMIX_INFO_FREE(info, room);
	return rc == PMIX_OPERATION_SUCCEEDED ? PMIX_SUCCESS : rc;
}

pmix_status_t register_job(struct job *job)
{
	pmix_status_t rc = register_keys(job);

	for (unsigned i = 0; i < job->npes && rc == PMIX_SUCCESS; i++) {
		pmix_proc_t proc;

		PMIX_LOAD_PROCID(&proc, job->nspace, i);
		rc = PMIx_server_register_client(&proc, getuid(), getgid(),
						 NULL, NULL, NULL);
		if (rc == PMIX_OPERATION_SUCCEEDED)
			rc = PMIX_SUCCESS;
	}
	return rc;
}
