#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library loaded by dlopen(3), by a program that is not linked with it.
. "${SRCDIR:-.}/tests/lib.sh"
library=${BUILDDIR:-.}/.libs/libsirocco.so
[ -e "$library" ] || skip "no $library"
grep -q -a __asan_init "$library" && skip "the sanitizer must come first"
run 0 -n 3 "$bin/dlopened" "$library" private
lines out 3 '^fine$'
SHMEM_STATIC=yes run 0 -n 3 "$bin/dlopened" "$library" static
lines out 3 '^fine$'
SHMEM_STATIC=no run 0 -n 1 "$bin/dlopened" "$library" private
finish
