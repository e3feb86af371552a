# SPDX-License-Identifier: BSD-3-Clause
# Jobs over two emulated machines with RDMA: `make check-rxe`, not `make check`.
RXE_JOBS = \
	tests/gpu/coll_alltoallv \
	tests/gpu/fuzz \
	tests/gpu/later \
	tests/gpu/scopes \
	tests/gpu/signal \
	tests/host/fence_order \
	tests/host/hello \
	tests/host/signal \
	tests/moe/combine \
	tests/moe/dispatch \
	tests/moe/fuzz \
	tests/multinode/alltoall \
	tests/multinode/atomics \
	tests/multinode/busy \
	tests/rxe/cut \
	tests/rxe/device

check_PROGRAMS += tests/rxe/cut tests/rxe/device
tests_rxe_cut_LDADD = $(DEVICE_LDADD)
tests_rxe_device_LDADD = $(DEVICE_LDADD)

EXTRA_DIST += \
	tests/rxe/guest \
	tests/rxe/init \
	tests/rxe/initrd \
	tests/rxe/jobs \
	tests/rxe/kernel \
	tests/rxe/lib.sh \
	tests/rxe/rsh \
	tests/rxe/run \
	tests/rxe/shell

check-rxe: libsirocco.la src/launch/oshrun $(RXE_JOBS)
	@BUILDDIR='$(abs_top_builddir)' $(SHELL) $(srcdir)/tests/rxe/run || \
		test $$? = 77
clean-local:
	rm -rf tests/rxe/kernel.d tests/rxe/failed.log
.PHONY: check-rxe
