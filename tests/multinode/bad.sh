#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Networks that are slow, lose, double and reorder: everything still works.
. "$SRCDIR/tests/multinode/suite.sh"
hosts_up -w a b

# over WHAT...: the programs, each setting of the wire an argument.
over() {
	wire clear
	for setting; do
		# shellcheck disable=SC2086
		wire $setting
	done
	note="$*"
	try a:2,b:2 "$top/tests/multinode/alltoall" 5 20000
	try a:1,b:1 "$top/tests/multinode/atomics" 20
	try a:1,b:2 "$bin/signal"
	[ -z "$all" ] || for name in hello random_rma random_coll lock nbi \
		fence_order team_2d; do
		try a:2,b:2 "$bin/$name"
	done
}

over 'delay 5'
over 'loss 1'
over 'rate 10'
over 'delay 1' 'jitter 3' 'reorder 2' 'duplicate 2'
[ -z "$all" ] || over 'delay 5' 'loss 1' 'rate 10'
wire count
wait_for grep taken "$dir/wired"
sum
