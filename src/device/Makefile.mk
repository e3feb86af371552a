# SPDX-License-Identifier: BSD-3-Clause
libshmemi_la_SOURCES += \
	src/device/kernels.h \
	src/device/kernels.inc \
	src/device/kernels_cpu.c \
	src/device/moe.h \
	src/device/moe.inc \
	src/device/moe_arrival.inc \
	src/device/moe_count.inc \
	src/device/moe_cpu.c \
	src/device/moe_far.h \
	src/device/moe_far.inc \
	src/device/moe_far_index.inc \
	src/device/moe_far_parcel.inc \
	src/device/moe_far_relay.inc \
	src/device/moe_far_take.inc \
	src/device/moe_float.h \
	src/device/moe_float_amdgpu.h \
	src/device/moe_float_bits.h \
	src/device/moe_float_nvidia.h \
	src/device/moe_float_plain.h \
	src/device/moe_gather.h \
	src/device/moe_part.inc \
	src/device/moe_plan.inc \
	src/device/moe_pull.inc \
	src/device/moe_push.inc \
	src/device/moe_row.h \
	src/device/moe_spread.h
EXTRA_DIST += src/device/bitcode.hip

# Sources of kernels for GPUs: HIP, by clang or nvcc, one object for all
# architectures that were configured.
device_sources = \
	src/device/kernels_gpu.hip \
	src/device/moe_gpu.hip

if GPU
libshmemi_la_SOURCES += $(device_sources)
device_objects = $(device_sources:.hip=.lo)
endif

DEVICE_CPPFLAGS = -include config.h -I. -I$(top_srcdir)/include \
	-I$(top_srcdir)/src $(GPU_CPPFLAGS)
# GPU compilers make position-independent code by their own flags; their
# dependencies name the object, which make knows as the .lo beside it.
SUFFIXES = .hip
.hip.lo:
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(LIBTOOL) $(AM_V_lt) --tag=CC --mode=compile \
		$(GPU_COMPILE) -prefer-non-pic $(DEVICE_CPPFLAGS) $(HIPFLAGS) \
		-MD -MF $*.hipdep -c -o $@ $<
	@$(SED) '1s|^[^:]*:|$@:|' $*.hipdep >$*.hipmk && rm -f $*.hipdep
-include src/device/*.hipmk
CLEANFILES += src/device/*.hipmk

# The API as LLVM bitcode, for compilers that link it into their kernels.
bitcodedir = $(pkglibdir)
bitcode_DATA = $(DEVICE_BITCODE)
# Not optimised: that is for who links it. Nor is all of it to be kept there,
# as a list of what is used would ask for.
BITCODE_COMPILE = $(HIP_CLANG) -nogpulib -emit-llvm -Xclang -disable-llvm-passes
BITCODE_ARCH = `echo $@ | $(SED) 's/.*-\(gfx.*\)\.bc/\1/'`
# The kernels' object is remade when a header of the API changes: so are these.
$(DEVICE_BITCODE): src/device/bitcode.hip src/device/kernels_gpu.lo
	$(AM_V_GEN)$(BITCODE_COMPILE) -x hip --cuda-device-only -nogpuinc -S \
		-std=c++17 -O3 --offload-arch=$(BITCODE_ARCH) \
		$(DEVICE_CPPFLAGS) $(HIPFLAGS) \
		-o $@.tmp $(top_srcdir)/src/device/bitcode.hip
	@$(SED) '/^@llvm\.\(compiler\.\)*used = /d' $@.tmp >$@.ll
	@$(BITCODE_COMPILE) -x ir --target=amdgcn-amd-amdhsa \
		-mcpu=$(BITCODE_ARCH) -c -o $@ $@.ll && rm -f $@.tmp $@.ll
CLEANFILES += $(DEVICE_BITCODE)
# All code that the library has for GPUs, and no more.
device-code: $(DEVICE_BITCODE) $(device_objects)
.PHONY: device-code
