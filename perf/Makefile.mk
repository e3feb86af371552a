# SPDX-License-Identifier: BSD-3-Clause
perf_harness = \
	perf/bench.c \
	perf/bench.h \
	perf/bench_args.c \
	perf/bench_report.c \
	perf/comm.h
perf_shmem = $(perf_harness) perf/comm_shmem.c
perf_compat = perf/compat.h perf/compat_set.h perf/compat_team.h

perf_cppflags = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
perf_ldadd = libsirocco.la $(JANSSON_LIBS)

noinst_PROGRAMS += \
	perf/bandwidth \
	perf/collectives \
	perf/latency \
	perf/limit \
	perf/memory \
	perf/message_rate \
	perf/pingpong \
	perf/startup

perf_bandwidth_SOURCES = perf/bandwidth.c $(perf_shmem) $(perf_compat)
perf_bandwidth_LDADD = $(perf_ldadd)
perf_bandwidth_CPPFLAGS = $(perf_cppflags)

perf_collectives_SOURCES = perf/collectives.c $(perf_shmem) $(perf_compat)
perf_collectives_LDADD = $(perf_ldadd)
perf_collectives_CPPFLAGS = $(perf_cppflags)

perf_latency_SOURCES = perf/latency.c $(perf_shmem) $(perf_compat)
perf_latency_LDADD = $(perf_ldadd)
perf_latency_CPPFLAGS = $(perf_cppflags)

perf_memory_SOURCES = perf/memory.c perf/comm.h perf/comm_shmem.c
perf_memory_LDADD = $(perf_ldadd)
perf_memory_CPPFLAGS = $(perf_cppflags)

perf_message_rate_SOURCES = perf/message_rate.c $(perf_shmem) $(perf_compat)
perf_message_rate_LDADD = $(perf_ldadd)
perf_message_rate_CPPFLAGS = $(perf_cppflags)

perf_pingpong_SOURCES = perf/pingpong.c $(perf_shmem) $(perf_compat)
perf_pingpong_LDADD = $(perf_ldadd)
perf_pingpong_CPPFLAGS = $(perf_cppflags)

perf_limit_SOURCES = perf/limit.c $(perf_harness) perf/comm_solo.c
perf_limit_CPPFLAGS = $(perf_cppflags)
perf_limit_LDADD = $(JANSSON_LIBS) -lpthread

perf_startup_SOURCES = perf/startup.c $(perf_harness) perf/comm_solo.c
perf_startup_CPPFLAGS = $(perf_cppflags)
perf_startup_LDADD = $(JANSSON_LIBS)

if UCX
noinst_PROGRAMS += perf/ucp_limit
endif
perf_ucp_limit_SOURCES = perf/ucp_limit.c $(perf_harness) perf/comm_pair.c \
	perf/pair.h perf/pair_meet.c perf/pair_meet.h
perf_ucp_limit_CPPFLAGS = $(perf_cppflags) $(UCX_CFLAGS)
perf_ucp_limit_LDADD = $(JANSSON_LIBS) $(UCX_LIBS)

# What quiet costs by the numbers of PEs and queues; a model.
noinst_PROGRAMS += perf/gda_table
perf_gda_table_SOURCES = perf/gda_table.c
perf_gda_table_LDADD = libsirocco.la

TESTS += perf/smoke.sh
EXTRA_DIST += perf/README.md perf/RESULTS.md perf/compare perf/compare-nodes \
	perf/libraries.py perf/measures.py perf/node_measures.py \
	perf/nodes.py perf/pmix_count.c perf/smoke.sh perf/startup_cost.py

# Calls in kernels: for a GPU perf/gpu/compare and node build it, here it is
# tried out on the CPU.
noinst_PROGRAMS += perf/gpu/bench perf/gpu/far
perf_gpu_bench_SOURCES = perf/gpu/bench.c perf/gpu/bench_data.h \
	perf/gpu/bench_kernels.h perf/gpu/lib.h perf/gpu/lib_sirocco.h
perf_gpu_far_SOURCES = perf/gpu/far.c perf/gpu/lib.h perf/gpu/lib_sirocco.h
EXTRA_DIST += perf/gpu/compare perf/gpu/figures.py perf/gpu/lib_bare.h \
	perf/gpu/lib_cuda.h perf/gpu/lib_nccl.h perf/gpu/lib_nvshmem.h \
	perf/gpu/node perf/gpu/node_test.py perf/gpu/parts.py \
	perf/gpu/programs.py perf/gpu/tables.py

# Exchanges from the host, on streams and in kernels. What the host does is a
# library, so that NAME.gpu is the same with kernels for a GPU: make gpu-perf.
noinst_LTLIBRARIES += perf/liballtoall.la perf/libmoe.la
perf_liballtoall_la_SOURCES = perf/alltoall.c perf/alltoall.h perf/skew.c \
	perf/skew.h $(perf_shmem)
perf_liballtoall_la_CPPFLAGS = $(perf_cppflags) -DCOMM_HOST_HEAP
perf_libmoe_la_SOURCES = perf/moe.c perf/moe.h perf/moe_args.c \
	perf/moe_baseline.c perf/moe_bench.h perf/moe_data.c perf/moe_gemm.c \
	perf/skew.c perf/skew.h $(perf_shmem)
perf_libmoe_la_CPPFLAGS = $(perf_cppflags) -DCOMM_HOST_HEAP

noinst_PROGRAMS += perf/alltoall perf/moe
perf_alltoall_SOURCES = perf/alltoall_kernels.c perf/alltoall.h
perf_alltoall_LDADD = perf/liballtoall.la $(perf_ldadd)
perf_moe_SOURCES = perf/moe_kernels.c perf/moe.h
perf_moe_LDADD = perf/libmoe.la $(perf_ldadd) -lm

perf/alltoall.gpu: perf/alltoall_kernels.gpuo perf/liballtoall.la libsirocco.la
	$(AM_V_GEN)$(GPU_LINK) -o $@ perf/alltoall_kernels.gpuo \
		perf/liballtoall.la libsirocco.la $(JANSSON_LIBS) $(GPU_LIBS) \
		-ldl
perf/moe.gpu: perf/moe_kernels.gpuo perf/libmoe.la libsirocco.la
	$(AM_V_GEN)$(GPU_LINK) -o $@ perf/moe_kernels.gpuo perf/libmoe.la \
		libsirocco.la $(JANSSON_LIBS) $(GPU_LIBS) -lm -ldl
gpu-perf: perf/alltoall.gpu perf/moe.gpu
.PHONY: gpu-perf
CLEANFILES += perf/*.gpu perf/*.gpuo
EXTRA_DIST += perf/gpu/vdev_2d.py perf/sweep
