/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/bind.h"

#include <errno.h>
#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <stdlib.h>
#include <string.h>

#include "launch/job.h"
#include "launch/message.h"
#include "launch/options.h"

static hwloc_obj_type_t map_type(enum map_by map)
{
	static const hwloc_obj_type_t types[] = {
		[MAP_SLOT] = HWLOC_OBJ_MACHINE,
		[MAP_CORE] = HWLOC_OBJ_CORE,
		[MAP_NUMA] = HWLOC_OBJ_NUMANODE,
		[MAP_SOCKET] = HWLOC_OBJ_PACKAGE,
	};

	return types[map];
}

static hwloc_obj_type_t bind_type(enum bind_to bind)
{
	static const hwloc_obj_type_t types[] = {
		[BIND_HWTHREAD] = HWLOC_OBJ_PU,
		[BIND_CORE] = HWLOC_OBJ_CORE,
		[BIND_NUMA] = HWLOC_OBJ_NUMANODE,
		[BIND_SOCKET] = HWLOC_OBJ_PACKAGE,
	};

	return types[bind];
}

/* NULL after one line of reason. */
static hwloc_topology_t topology_load(void)
{
	hwloc_topology_t topo;
	hwloc_bitmap_t ours = hwloc_bitmap_alloc();

	if (!ours || hwloc_topology_init(&topo))
		goto free_ours;
	if (hwloc_topology_load(topo))
		goto destroy_topo;
	if (!hwloc_get_cpubind(topo, ours, HWLOC_CPUBIND_PROCESS))
		hwloc_topology_restrict(topo, ours, 0);
	hwloc_bitmap_free(ours);
	return topo;
destroy_topo:
	hwloc_topology_destroy(topo);
free_ours:
	hwloc_bitmap_free(ours);
	oshrun_say("hwloc cannot read the topology of this node: %s",
		   strerror(errno));
	return NULL;
}

/* Some virtual machines show no cores. */
static hwloc_obj_type_t core_type(hwloc_topology_t topo)
{
	return hwloc_get_nbobjs_by_type(topo, HWLOC_OBJ_CORE) > 0
		       ? HWLOC_OBJ_CORE
		       : HWLOC_OBJ_PU;
}

static unsigned count_cores(void)
{
	hwloc_topology_t topo = topology_load();
	int n;

	if (!topo)
		exit(OSHRUN_EXIT_RESOURCE);
	n = hwloc_get_nbobjs_by_type(topo, core_type(topo));
	hwloc_topology_destroy(topo);
	return n > 0 ? (unsigned)n : 1;
}

void bind_default_npes(struct oshrun_options *opt)
{
	unsigned total = 0;

	if (opt->napps == 1 && !opt->apps[0].npes)
		opt->apps[0].npes = count_cores();
	for (unsigned i = 0; i < opt->napps; i++) {
		total += opt->apps[i].npes;
		if (opt->apps[i].npes && total <= OSHRUN_MAX_NPES)
			continue;
		if (opt->apps[i].npes)
			oshrun_say("more than %d PEs in all", OSHRUN_MAX_NPES);
		else
			oshrun_say("%s: with several programs each needs "
				   "-n N",
				   opt->apps[i].argv[0]);
		exit(OSHRUN_EXIT_USAGE);
	}
}

/* The smallest object of `type` around `obj`, else the whole node. */
static hwloc_obj_t around(hwloc_topology_t topo, hwloc_obj_type_t type,
			  hwloc_obj_t obj)
{
	hwloc_obj_t it = NULL;

	while ((it = hwloc_get_next_obj_by_type(topo, type, it)))
		if (hwloc_bitmap_isincluded(obj->cpuset, it->cpuset))
			return it;
	return hwloc_get_root_obj(topo);
}

/* The i-th object of `type` that has processors; *n receives the count. */
static hwloc_obj_t domain_get(hwloc_topology_t topo, hwloc_obj_type_t type,
			      unsigned i, unsigned *n)
{
	hwloc_obj_t it = NULL, found = NULL;

	for (unsigned pass = 0; pass < 2; pass++) {
		unsigned seen = 0;

		while ((it = hwloc_get_next_obj_by_type(topo, type, it))) {
			if (hwloc_bitmap_iszero(it->cpuset))
				continue;
			if (pass && seen == i % *n)
				found = it;
			seen++;
		}
		*n = seen ? seen : 1;
	}
	return found ? found : hwloc_get_root_obj(topo);
}

static hwloc_obj_t place(hwloc_topology_t topo,
			 const struct oshrun_options *opt, unsigned rank)
{
	const hwloc_obj_type_t unit =
		opt->bind == BIND_HWTHREAD ? HWLOC_OBJ_PU : core_type(topo);
	unsigned ndomains;
	hwloc_obj_t domain =
		domain_get(topo, map_type(opt->map), rank, &ndomains);
	int nunits = hwloc_get_nbobjs_inside_cpuset_by_type(
		topo, domain->cpuset, unit);
	hwloc_obj_t obj;

	if (nunits < 1)
		return domain;
	obj = hwloc_get_obj_inside_cpuset_by_type(
		topo, domain->cpuset, unit, rank / ndomains % (unsigned)nunits);
	return around(topo, bind_type(opt->bind), obj);
}

static int bind_one(hwloc_topology_t topo, struct pe *pe, hwloc_obj_t obj)
{
	const int ncpus = hwloc_bitmap_last(obj->cpuset) + 1;

	pe->bitmap = hwloc_bitmap_dup(obj->cpuset);
	pe->cpuset = CPU_ALLOC(ncpus);
	if (!pe->bitmap || !pe->cpuset)
		return -ENOMEM;
	pe->cpuset_bytes = CPU_ALLOC_SIZE(ncpus);
	return hwloc_cpuset_to_glibc_sched_affinity(
		topo, obj->cpuset, pe->cpuset, pe->cpuset_bytes);
}

static void report_one(const struct job *job, unsigned rank, hwloc_obj_t obj)
{
	char type[32], *list;

	if (!obj) {
		oshrun_say("PE %u (host %s) not bound", rank, job->host);
		return;
	}
	if (hwloc_bitmap_list_asprintf(&list, obj->cpuset) < 0)
		return;
	hwloc_obj_type_snprintf(type, sizeof(type), obj, 0);
	oshrun_say("PE %u (host %s) bound to %s %u, hardware threads %s", rank,
		   job->host, type, obj->logical_index, list);
	free(list);
}

static int bind_pes(struct job *job, hwloc_topology_t topo)
{
	for (unsigned i = 0; i < job->npes; i++) {
		hwloc_obj_t obj = place(topo, job->opt, i);

		if (bind_one(topo, &job->pes[i], obj)) {
			oshrun_say("cannot bind PE %u: out of memory", i);
			return OSHRUN_EXIT_RESOURCE;
		}
		if (job->opt->report_bindings)
			report_one(job, i, obj);
	}
	return 0;
}

int bind_all(struct job *job)
{
	hwloc_topology_t topo;
	int rc;

	if (job->opt->bind == BIND_NONE) {
		for (unsigned i = 0; job->opt->report_bindings && i < job->npes;
		     i++)
			report_one(job, i, NULL);
		return 0;
	}
	topo = topology_load();
	if (!topo)
		return OSHRUN_EXIT_RESOURCE;
	rc = bind_pes(job, topo);
	hwloc_topology_destroy(topo);
	return rc;
}
