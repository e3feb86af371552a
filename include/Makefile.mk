# SPDX-License-Identifier: BSD-3-Clause
include_HEADERS = include/shmem.h include/shmemx.h include/pshmem.h
mppincludedir = $(includedir)/mpp
mppinclude_HEADERS = include/mpp/shmem.h include/mpp/shmemx.h
shmemincludedir = $(includedir)/shmem
shmeminclude_HEADERS = \
	include/shmem/amo.def include/shmem/attr.h include/shmem/collective.def \
	include/shmem/constants.h include/shmem/context.def \
	include/shmem/deprecated.def include/shmem/device.h \
	include/shmem/exchange.def include/shmem/exchange.h \
	include/shmem/expand.h include/shmem/generic.h include/shmem/kernel.def \
	include/shmem/kernel.h include/shmem/lock.def include/shmem/memory.def \
	include/shmem/moe.def include/shmem/moe.h \
	include/shmem/network.def include/shmem/network.h \
	include/shmem/network_constants.h \
	include/shmem/order.def include/shmem/overload.h \
	include/shmem/platform.h include/shmem/prototypes.h \
	include/shmem/rma.def include/shmem/runtime.h include/shmem/setup.def \
	include/shmem/shapes.h include/shmem/signal.def include/shmem/stream.def \
	include/shmem/stream.h include/shmem/stream_expand.h \
	include/shmem/sync.def include/shmem/tables.def include/shmem/team.def \
	include/shmem/types.h include/shmem/undef.h include/shmem/where.h
shmemdeviceincludedir = $(includedir)/shmem/device
shmemdeviceinclude_HEADERS = \
	include/shmem/device/amo.h include/shmem/device/api.h \
	include/shmem/device/api_cpu.h include/shmem/device/api_gpu.h \
	include/shmem/device/api_host.h include/shmem/device/arch.h \
	include/shmem/device/arch_amdgpu.h include/shmem/device/arch_cpu.h \
	include/shmem/device/arch_cpu_amo.inc \
	include/shmem/device/arch_hiphost.h \
	include/shmem/device/arch_nvidia.h \
	include/shmem/device/arch_nvidia_amo.inc \
	include/shmem/device/barrier.def include/shmem/device/body_coll.h \
	include/shmem/device/body_rma.h include/shmem/device/coll.h \
	include/shmem/device/coll_alltoall.h \
	include/shmem/device/coll_alltoallv.h \
	include/shmem/device/coll_alltoallv_2d.h \
	include/shmem/device/coll_alltoallv_far.h \
	include/shmem/device/coll_alltoallv_large.h \
	include/shmem/device/coll_alltoallv_pieces.h \
	include/shmem/device/coll_broadcast.h \
	include/shmem/device/coll_collect.h include/shmem/device/coll_far.h \
	include/shmem/device/coll_reduce.h \
	include/shmem/device/coll_reduce_far.h include/shmem/device/coll_rows.h \
	include/shmem/device/coll_rows_far.h \
	include/shmem/device/coll_share.h include/shmem/device/coll_spot.h \
	include/shmem/device/coll_sync.h include/shmem/device/coll_vary.h \
	include/shmem/device/collective.def include/shmem/device/copy.h \
	include/shmem/device/ctx.h include/shmem/device/error.h \
	include/shmem/device/fold.h include/shmem/device/generic.h \
	include/shmem/device/group.def include/shmem/device/groups.def \
	include/shmem/device/host.def \
	include/shmem/device/kernel_cpu.h include/shmem/device/kernel_gpu.h \
	include/shmem/device/module.h include/shmem/device/network.def \
	include/shmem/device/order.h \
	include/shmem/device/overload.h include/shmem/device/proxy.h \
	include/shmem/device/far.h include/shmem/device/gda.h \
	include/shmem/device/gda_amo.h include/shmem/device/gda_memory.h \
	include/shmem/device/gda_op.h include/shmem/device/gda_post.h \
	include/shmem/device/gda_ring.h include/shmem/device/gda_row.h \
	include/shmem/device/gda_send.h include/shmem/device/gda_settle.h \
	include/shmem/device/gda_bnxt.h \
	include/shmem/device/gda_bnxt_wire.h \
	include/shmem/device/gda_format.h include/shmem/device/gda_ionic.h \
	include/shmem/device/gda_ionic_wire.h \
	include/shmem/device/gda_mlx5.h include/shmem/device/gda_mlx5_wire.h \
	include/shmem/device/gda_verbs.h \
	include/shmem/device/gda_verbs_wire.h include/shmem/device/gda_wire.h \
	include/shmem/device/proxy_ring.h include/shmem/device/reach.h \
	include/shmem/device/reduce.inc include/shmem/device/rma.h \
	include/shmem/device/runtime_cpu.h \
	include/shmem/device/runtime_gpu.h include/shmem/device/scope.h \
	include/shmem/device/signal.h include/shmem/device/state.h \
	include/shmem/device/sync.h include/shmem/device/sync_block.h \
	include/shmem/device/sync_far.h \
	include/shmem/device/tables.def include/shmem/device/team.h \
	include/shmem/device/thread.def include/shmem/device/wait.h \
	include/shmem/device/xgmi.h
