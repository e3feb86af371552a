# SPDX-License-Identifier: BSD-3-Clause
# Compiled, so that it stays true to the interface; linked by its test only.
noinst_LTLIBRARIES += libtemplate.la
libtemplate_la_SOURCES = src/conduits/template/template.c
EXTRA_DIST += src/conduits/template/README.md
