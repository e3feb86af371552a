# SPDX-License-Identifier: BSD-3-Clause
PLATFORM_TESTS = tests/gpu/platform_kernels tests/gpu/platform_memory \
	tests/gpu/platform_streams
check_PROGRAMS += $(PLATFORM_TESTS)
TESTS += $(PLATFORM_TESTS)

tests_gpu_platform_kernels_SOURCES = tests/gpu/platform_kernels.c \
	tests/gpu/platform.h
tests_gpu_platform_kernels_LDADD = libshmemi.la
tests_gpu_platform_memory_SOURCES = tests/gpu/platform_memory.c \
	tests/gpu/platform.h
tests_gpu_platform_memory_LDADD = libshmemi.la
tests_gpu_platform_streams_SOURCES = tests/gpu/platform_streams.c \
	tests/gpu/platform.h
tests_gpu_platform_streams_LDADD = libshmemi.la

# Kernels that call each routine of the device API; coverage.sh proves that
# none was left out. The same sources make programs for a GPU: NAME.gpu, run by
# tests/gpu/run.
DEVICE_TESTS = \
	tests/gpu/amo \
	tests/gpu/barrier \
	tests/gpu/coll_alltoall \
	tests/gpu/coll_alltoallv \
	tests/gpu/coll_alltoallv_2d \
	tests/gpu/coll_broadcast \
	tests/gpu/coll_collect \
	tests/gpu/edges \
	tests/gpu/ending \
	tests/gpu/fuzz \
	tests/gpu/gangs \
	tests/gpu/host_atomics \
	tests/gpu/later \
	tests/gpu/litmus \
	tests/gpu/litmus_weak \
	tests/gpu/modules \
	tests/gpu/order \
	tests/gpu/p_g \
	tests/gpu/put_signal \
	tests/gpu/put_signal_pair \
	tests/gpu/query \
	tests/gpu/reduce_bits \
	tests/gpu/reduce_minmax \
	tests/gpu/reduce_scan \
	tests/gpu/reduce_sum \
	tests/gpu/rma_get \
	tests/gpu/rma_put \
	tests/gpu/scopes \
	tests/gpu/signal \
	tests/gpu/strided_get \
	tests/gpu/strided_put \
	tests/gpu/wait \
	tests/gpu/wait_sets
# As DEVICE_TESTS, but run by scripts or with other settings.
DEVICE_JOBS = tests/gpu/misuse
DEVICE_SH = tests/gpu/algorithms.sh tests/gpu/coverage.sh tests/gpu/far.sh \
	tests/gpu/far_device.sh tests/gpu/atomics_by_host.sh tests/gpu/misuse.sh \
	tests/gpu/waves.sh

# PEs that only the proxy reaches, by the conduit of other nodes.
if UCX
DEVICE_TESTS += \
	tests/gpu/proxy_full \
	tests/gpu/proxy_many \
	tests/gpu/proxy_order \
	tests/gpu/proxy_rma
endif

check_PROGRAMS += $(DEVICE_TESTS) $(DEVICE_JOBS) tests/gpu/names
TESTS += $(DEVICE_TESTS) $(DEVICE_SH)
EXTRA_DIST += $(DEVICE_SH) tests/gpu/run

check_LTLIBRARIES += tests/gpu/libcommon.la tests/gpu/libmodule.la
tests_gpu_libcommon_la_SOURCES = \
	tests/gpu/common.c tests/gpu/common.h \
	tests/gpu/fuzz.h tests/gpu/fuzz_model.c
# -rpath makes it a shared library although it is not installed.
tests_gpu_libmodule_la_SOURCES = tests/gpu/module_dso.c tests/gpu/modules.h
tests_gpu_libmodule_la_LIBADD = libsirocco.la
tests_gpu_libmodule_la_LDFLAGS = $(SANITIZE_FLAGS) -avoid-version -rpath /nowhere
DEVICE_LDADD = tests/gpu/libcommon.la libsirocco.la
DEVICE_INCLUDES = tests/gpu/call.h tests/gpu/rows.h
COLL_INCLUDES = $(DEVICE_INCLUDES) tests/gpu/coll.h tests/gpu/coll_rows.h

tests_gpu_amo_SOURCES = tests/gpu/amo.c $(DEVICE_INCLUDES)
tests_gpu_amo_LDADD = $(DEVICE_LDADD)
tests_gpu_barrier_LDADD = $(DEVICE_LDADD)
tests_gpu_coll_alltoall_SOURCES = tests/gpu/coll_alltoall.c \
	tests/gpu/coll_move.h $(COLL_INCLUDES)
tests_gpu_coll_alltoall_LDADD = $(DEVICE_LDADD)
tests_gpu_coll_alltoallv_SOURCES = tests/gpu/coll_alltoallv.c \
	tests/gpu/vary.h
tests_gpu_coll_alltoallv_LDADD = $(DEVICE_LDADD)
tests_gpu_coll_alltoallv_2d_SOURCES = tests/gpu/coll_alltoallv_2d.c \
	tests/gpu/vary_rows.h
tests_gpu_coll_alltoallv_2d_LDADD = $(DEVICE_LDADD)
tests_gpu_coll_broadcast_LDADD = $(DEVICE_LDADD)
tests_gpu_coll_collect_LDADD = $(DEVICE_LDADD)
tests_gpu_edges_LDADD = $(DEVICE_LDADD)
tests_gpu_fuzz_SOURCES = tests/gpu/fuzz.c tests/gpu/fuzz_op.inc
tests_gpu_fuzz_LDADD = $(DEVICE_LDADD)
tests_gpu_gangs_LDADD = $(DEVICE_LDADD)
tests_gpu_host_atomics_SOURCES = tests/gpu/host_atomics.c \
	tests/gpu/host_atomics.inc
tests_gpu_host_atomics_LDADD = $(DEVICE_LDADD)
tests_gpu_later_LDADD = $(DEVICE_LDADD)
tests_gpu_litmus_LDADD = $(DEVICE_LDADD)
tests_gpu_litmus_weak_LDADD = $(DEVICE_LDADD)
tests_gpu_misuse_LDADD = $(DEVICE_LDADD)
tests_gpu_modules_SOURCES = tests/gpu/modules.c tests/gpu/module_other.c
tests_gpu_modules_CPPFLAGS = $(AM_CPPFLAGS) \
	-DMODULE_DSO='".libs/libmodule.so"'
tests_gpu_modules_LDADD = $(DEVICE_LDADD) -ldl
tests_gpu_modules_DEPENDENCIES = $(DEVICE_LDADD) tests/gpu/libmodule.la
tests_gpu_order_LDADD = $(DEVICE_LDADD)
tests_gpu_p_g_LDADD = $(DEVICE_LDADD)
tests_gpu_proxy_full_LDADD = $(DEVICE_LDADD)
tests_gpu_proxy_many_LDADD = $(DEVICE_LDADD)
tests_gpu_proxy_order_LDADD = $(DEVICE_LDADD)
tests_gpu_proxy_rma_LDADD = $(DEVICE_LDADD)
tests_gpu_put_signal_LDADD = $(DEVICE_LDADD)
tests_gpu_put_signal_pair_LDADD = $(DEVICE_LDADD)
tests_gpu_query_LDADD = $(DEVICE_LDADD)
tests_gpu_reduce_bits_SOURCES = tests/gpu/reduce_bits.c \
	tests/gpu/coll_reduce.h
tests_gpu_reduce_bits_LDADD = $(DEVICE_LDADD)
tests_gpu_reduce_minmax_LDADD = $(DEVICE_LDADD)
tests_gpu_reduce_scan_LDADD = $(DEVICE_LDADD)
tests_gpu_reduce_sum_LDADD = $(DEVICE_LDADD)
tests_gpu_rma_get_LDADD = $(DEVICE_LDADD)
tests_gpu_rma_put_LDADD = $(DEVICE_LDADD)
tests_gpu_scopes_LDADD = $(DEVICE_LDADD)
tests_gpu_ending_LDADD = $(DEVICE_LDADD)
tests_gpu_signal_LDADD = $(DEVICE_LDADD)
tests_gpu_strided_get_SOURCES = tests/gpu/strided_get.c tests/gpu/strided.h
tests_gpu_strided_get_LDADD = $(DEVICE_LDADD)
tests_gpu_strided_put_LDADD = $(DEVICE_LDADD)
tests_gpu_wait_SOURCES = tests/gpu/wait.c tests/gpu/p2p.h
tests_gpu_wait_LDADD = $(DEVICE_LDADD)
tests_gpu_wait_sets_LDADD = $(DEVICE_LDADD)

# A module that a program loads by hand: on a GPU only.
check_PROGRAMS += tests/gpu/loaded
tests_gpu_loaded_SOURCES = tests/gpu/loaded.c tests/gpu/loaded.h
tests_gpu_loaded_LDADD = $(DEVICE_LDADD) -ldl
EXTRA_DIST += tests/gpu/loaded_kernel.c

check_PROGRAMS += tests/gpu/units
TESTS += tests/gpu/units
tests_gpu_units_SOURCES = tests/gpu/units.cc tests/gpu/unit_other.cc \
	tests/gpu/unit.h
tests_gpu_units_CXXFLAGS = $(AM_CXXFLAGS) -fno-inline

# Operations on streams: programs of the host, the same on every platform.
STREAM_TESTS = tests/gpu/stream_alltoallv tests/gpu/stream_coll \
	tests/gpu/stream_graph tests/gpu/stream_rma tests/gpu/stream_teams
check_PROGRAMS += $(STREAM_TESTS)
TESTS += $(STREAM_TESTS)
tests_gpu_stream_alltoallv_LDADD = $(DEVICE_LDADD)
tests_gpu_stream_coll_LDADD = $(DEVICE_LDADD)
tests_gpu_stream_graph_LDADD = $(DEVICE_LDADD)
tests_gpu_stream_rma_LDADD = $(DEVICE_LDADD)
tests_gpu_stream_teams_LDADD = $(DEVICE_LDADD)

tests/gpu/coverage.log: $(DEVICE_TESTS:=.log)
CLEANFILES += tests/gpu/*.called

# For a GPU; `make gpu-tests` is part of `make check` where one was configured.
SUFFIXES += .gpuo .gpu
.c.gpuo:
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(GPU_COMPILE) -D_GNU_SOURCE $(DEVICE_CPPFLAGS) $(HIPFLAGS) \
		$(GPU_DEFINES) -c -o $@ $<
GPU_LINK = $(LIBTOOL) $(AM_V_lt) --tag=CXX --mode=link $(CXX) $(CXXFLAGS) \
	$(LDFLAGS) -no-install
.gpuo.gpu:
	$(AM_V_GEN)$(GPU_LINK) -o $@ $< $(DEVICE_LDADD) $(GPU_LIBS) -ldl
GPU_TESTS = $(DEVICE_TESTS:=.gpu) $(DEVICE_JOBS:=.gpu)
$(GPU_TESTS): $(DEVICE_LDADD)
tests/gpu/modules.gpuo: GPU_DEFINES = -DMODULE_DSO='"libmodule_gpu.so"'
tests/gpu/modules.gpu: tests/gpu/modules.gpuo tests/gpu/module_other.gpuo \
		tests/gpu/libmodule_gpu.so
	$(AM_V_GEN)$(GPU_LINK) -o $@ tests/gpu/modules.gpuo \
		tests/gpu/module_other.gpuo $(DEVICE_LDADD) $(GPU_LIBS) -ldl
tests/gpu/libmodule_gpu.so: tests/gpu/module_dso.gpuo libsirocco.la
	$(AM_V_GEN)$(CXX) -shared -o $@ tests/gpu/module_dso.gpuo \
		-L.libs -lsirocco $(GPU_LIBS)
tests/gpu/loaded_kernel.module: tests/gpu/loaded_kernel.c libsirocco.la
	$(AM_V_GEN)$(GPU_COMPILE) $(GPU_MODULE) $(DEVICE_CPPFLAGS) $(HIPFLAGS) \
		-o $@ $(srcdir)/tests/gpu/loaded_kernel.c
gpu-tests: $(GPU_TESTS) $(STREAM_TESTS) tests/gpu/names tests/gpu/loaded \
		tests/gpu/loaded_kernel.module
.PHONY: gpu-tests
if GPU
check_SCRIPTS = $(GPU_TESTS)
endif
CLEANFILES += tests/gpu/*.module tests/gpu/*.gpuo tests/gpu/*.gpu tests/gpu/libmodule_gpu.so
