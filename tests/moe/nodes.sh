#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MoE exchanges between nodes, pretended ones of one to three PEs: far, and a
# choice of the other tests here.
. "${SRCDIR:-.}/tests/lib.sh"
grep -q '^#define HAVE_UCX 1' "$top/config.h" || skip "built without UCX"

on_nodes 1 2 moe/far moe/again moe/capacity moe/dispatch moe/fuzz moe/graph
on_nodes 1 3 moe/far
on_nodes 2 3 moe/far moe/cached moe/edges moe/halves moe/invalid
on_nodes 2 4 moe/far moe/backward moe/combine moe/fuzz moe/graph moe/streams \
	moe/teams
on_nodes 2 5 moe/far
on_nodes 3 4 moe/far moe/fuzz moe/repeat
on_nodes 2 6 moe/far
on_nodes 3 6 moe/far
finish
