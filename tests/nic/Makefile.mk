# SPDX-License-Identifier: BSD-3-Clause
# A NIC in software; a shared library, as programs load it as libibverbs.
if VERBS
check_LTLIBRARIES += tests/nic/libnic.la
tests_nic_libnic_la_SOURCES = \
	tests/nic/nic.h \
	tests/nic/nic_access.c \
	tests/nic/nic_atomic.c \
	tests/nic/nic_bnxt.c \
	tests/nic/nic_bnxt.h \
	tests/nic/nic_bnxt_dv.c \
	tests/nic/nic_bnxt_entry.c \
	tests/nic/nic_check.c \
	tests/nic/nic_check_qp.c \
	tests/nic/nic_clock.c \
	tests/nic/nic_copy.c \
	tests/nic/nic_engine.c \
	tests/nic/nic_entry.c \
	tests/nic/nic_entry.h \
	tests/nic/nic_fault.c \
	tests/nic/nic_gpu.c \
	tests/nic/nic_impl.h \
	tests/nic/nic_ionic.c \
	tests/nic/nic_ionic.h \
	tests/nic/nic_ionic_dv.c \
	tests/nic/nic_ionic_entry.c \
	tests/nic/nic_map.c \
	tests/nic/nic_mlx5.c \
	tests/nic/nic_mlx5.h \
	tests/nic/nic_mlx5_dv.c \
	tests/nic/nic_mlx5_entry.c \
	tests/nic/nic_move.c \
	tests/nic/nic_peer.c \
	tests/nic/nic_registry.c \
	tests/nic/nic_soft.c \
	tests/nic/nic_stats.c \
	tests/nic/nic_thread.c \
	tests/nic/nic_verbs_context.c \
	tests/nic/nic_verbs_cq.c \
	tests/nic/nic_verbs_device.c \
	tests/nic/nic_verbs_mr.c \
	tests/nic/nic_verbs_pd.c \
	tests/nic/nic_verbs_qp.c \
	tests/nic/nic_verbs_text.c
tests_nic_libnic_la_LIBADD = -lpthread -ldl
# -rpath makes it a shared library although it is not installed; its own calls
# don't go to the libibverbs that a program has.
tests_nic_libnic_la_LDFLAGS = $(SANITIZE_FLAGS) -module -avoid-version \
	-rpath /nowhere -Wl,-Bsymbolic

check_PROGRAMS += tests/nic/atomics tests/nic/verbs
TESTS += tests/nic/atomics tests/nic/verbs
tests_nic_atomics_SOURCES = tests/nic/atomics.c tests/nic/nic_atomic.c \
	tests/nic/nic_clock.c
# Of its own: others make the same sources for a library.
tests_nic_atomics_CFLAGS = $(AM_CFLAGS)
tests_nic_atomics_LDADD =
tests_nic_verbs_SOURCES = tests/nic/verbs.c tests/nic/pair.c \
	tests/nic/pair.h tests/nic/refused.c tests/nic/refused.h
tests_nic_verbs_LDADD = -ldl -lpthread
EXTRA_tests_nic_verbs_DEPENDENCIES = tests/nic/libnic.la

# Memory that the CPU can't address, by what stands for CUDA's driver.
check_LTLIBRARIES += tests/nic/libfakecuda.la
tests_nic_libfakecuda_la_SOURCES = tests/nic/fake_cuda.c tests/nic/fake_cuda.h
tests_nic_libfakecuda_la_LDFLAGS = $(SANITIZE_FLAGS) -module -avoid-version \
	-rpath /nowhere
check_PROGRAMS += tests/nic/gpu
TESTS += tests/nic/gpu
tests_nic_gpu_SOURCES = tests/nic/gpu.c tests/nic/pair.c tests/nic/pair.h
tests_nic_gpu_LDADD = -ldl -lpthread
EXTRA_tests_nic_gpu_DEPENDENCIES = tests/nic/libnic.la \
	tests/nic/libfakecuda.la

# Each refusal of the vendors' formats, and what is right.
check_PROGRAMS += tests/nic/strict_bnxt tests/nic/strict_ionic \
	tests/nic/strict_mlx5
TESTS += tests/nic/strict_bnxt tests/nic/strict_ionic tests/nic/strict_mlx5
STRICT = tests/nic/strict.c tests/nic/strict.h tests/nic/strict_cases.c \
	tests/nic/strict_cases.h
tests_nic_strict_bnxt_SOURCES = tests/nic/strict_bnxt.c \
	tests/nic/strict_bnxt_queue.c $(STRICT)
tests_nic_strict_bnxt_LDADD = -ldl -lpthread
EXTRA_tests_nic_strict_bnxt_DEPENDENCIES = tests/nic/libnic.la
tests_nic_strict_ionic_SOURCES = tests/nic/strict_ionic.c \
	tests/nic/strict_ionic_queue.c $(STRICT)
tests_nic_strict_ionic_LDADD = -ldl -lpthread
EXTRA_tests_nic_strict_ionic_DEPENDENCIES = tests/nic/libnic.la
tests_nic_strict_mlx5_SOURCES = tests/nic/strict_mlx5.c \
	tests/nic/strict_mlx5_queue.c $(STRICT)
tests_nic_strict_mlx5_LDADD = -ldl -lpthread
EXTRA_tests_nic_strict_mlx5_DEPENDENCIES = tests/nic/libnic.la
endif
