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

examples_heat_SOURCES = examples/heat.c
examples_heat_LDADD = libsirocco.la -lm
examples_hello_SOURCES = examples/hello.c
examples_moe_exchange_SOURCES = $(moe_sources)
examples_moe_exchange_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
examples_moe_exchange_LDADD = libsirocco.la $(JANSSON_LIBS) -lm
examples_ring_signal_SOURCES = examples/ring_signal.c

examplesdir = $(docdir)/examples
dist_examples_DATA = \
	examples/README.md \
	examples/heat.c \
	examples/hello.c \
	examples/ring_signal.c
examplesmoedir = $(examplesdir)/moe
dist_examplesmoe_DATA = $(moe_sources)

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
if GPU
noinst_SCRIPTS = $(gpu_example_programs)
endif
CLEANFILES += examples/gpu/*.gpu examples/gpu/*.gpuo
