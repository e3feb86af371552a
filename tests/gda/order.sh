#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# In collectives and MoE exchanges with near and far members the NIC is told
# first.
. "${SRCDIR:-.}/tests/gda/lib.sh"
for kind in mlx5 bnxt_re ionic verbs; do
	nic $kind
	by 2 4 gda/first
done
finish
