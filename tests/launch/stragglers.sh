#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What PEs leave behind is killed at the end, in other sessions too.
. "${SRCDIR:-.}/tests/lib.sh"
run 0 -n 3 sh -c 'sleep 60 & setsid sleep 60 & (sleep 60 &) ; exit 0'
finish
