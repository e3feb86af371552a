# SPDX-License-Identifier: BSD-3-Clause
# Built to be run and tested here; installed as source, to be read and built
# with oshcc.
noinst_PROGRAMS += \
	examples/gpu/alltoall_on_stream \
	examples/gpu/halo \
	examples/gpu/pipeline \
	examples/gpu/ring \
	examples/heat \
	examples/hello \
	examples/moe_exchange \
	examples/moe_layer \
	examples/ring_signal

moe_sources = \
	examples/moe/args.c \
	examples/moe/check.c \
	examples/moe/exchange.c \
	examples/moe/json.c \
	examples/moe/main.c \
	examples/moe/model.c \
	examples/moe/moe.h \
	examples/moe/report.c \
	examples/moe/share.c \
	examples/moe/text.c

# Kernels, which are compiled for GPUs as well, and what the host does alone.
moe_layer_kernels = \
	examples/layer/gemm.c \
	examples/layer/rows.c \
	examples/layer/sort.c
moe_layer_headers = \
	examples/layer/kernels.h \
	examples/layer/launch.h \
	examples/layer/moe_layer.h \
	examples/layer/number.h
moe_layer_sources = \
	examples/layer/args.c \
	examples/layer/baseline.c \
	examples/layer/check.c \
	examples/layer/exchange.c \
	examples/layer/json.c \
	examples/layer/main.c \
	examples/layer/memory.c \
	examples/layer/model.c \
	examples/layer/reference.c \
	examples/layer/report.c \
	examples/layer/step.c \
	examples/layer/text.c
noinst_LTLIBRARIES += examples/libmoe_layer.la
examples_libmoe_layer_la_SOURCES = $(moe_layer_sources) $(moe_layer_headers)
examples_libmoe_layer_la_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) \
	-DMOE_LAYER_TEXT='"$(abs_top_srcdir)/docs/USING.md"'

examples_heat_SOURCES = examples/heat.c
examples_heat_LDADD = libsirocco.la -lm
examples_hello_SOURCES = examples/hello.c
examples_moe_exchange_SOURCES = $(moe_sources)
examples_moe_exchange_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
examples_moe_exchange_LDADD = libsirocco.la $(JANSSON_LIBS) -lm
examples_moe_layer_SOURCES = $(moe_layer_kernels)
examples_moe_layer_LDADD = examples/libmoe_layer.la libsirocco.la \
	$(JANSSON_LIBS) -lm
examples_ring_signal_SOURCES = examples/ring_signal.c

examplesdir = $(docdir)/examples
dist_examples_DATA = \
	examples/README.md \
	examples/heat.c \
	examples/hello.c \
	examples/ring_signal.c
examplesmoedir = $(examplesdir)/moe
dist_examplesmoe_DATA = $(moe_sources)
exampleslayerdir = $(examplesdir)/layer
dist_exampleslayer_DATA = $(moe_layer_kernels) $(moe_layer_headers) \
	$(moe_layer_sources)

# With kernels: these run on the CPU, examples/gpu/NAME.gpu on a GPU.
gpu_examples = \
	examples/gpu/alltoall_on_stream \
	examples/gpu/halo \
	examples/gpu/pipeline \
	examples/gpu/ring
examplesgpudir = $(examplesdir)/gpu
dist_examplesgpu_DATA = $(gpu_examples:=.c)
gpu_example_programs = $(gpu_examples:=.gpu)
$(gpu_example_programs): libsirocco.la
$(gpu_example_programs): DEVICE_LDADD = libsirocco.la
moe_layer_gpuo = $(moe_layer_kernels:.c=.gpuo)
$(moe_layer_gpuo): $(moe_layer_headers)
examples/moe_layer.gpu: $(moe_layer_gpuo) examples/libmoe_layer.la libsirocco.la
	$(AM_V_GEN)$(GPU_LINK) -o $@ $(moe_layer_gpuo) \
		examples/libmoe_layer.la libsirocco.la $(JANSSON_LIBS) \
		$(GPU_LIBS) -lm -ldl
if GPU
noinst_SCRIPTS = $(gpu_example_programs) examples/moe_layer.gpu
endif
CLEANFILES += examples/gpu/*.gpu examples/gpu/*.gpuo examples/moe_layer.gpu \
	examples/layer/*.gpuo
