#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A cable that is pulled while PEs talk: every PE ends within SHMEM_TIMEOUT,
# somebody says which PE on which host is lost, and nothing runs on; pulled for
# a moment only, the job goes on.
. "$SRCDIR/tests/multinode/break.sh"
hosts_up -w a b

for what in put barrier wait ${all:+get amo nbi reduce lock compute}; do
	running a:2,b:2 $what
	wire down 1
	ends "$what, the network of PEs cut"
	wire up 1
done

# links down|up: all of host b's.
links() {
	for link in lan0 fab0; do
		ip -n "$net-b" link set $link "$1"
	done
}

for what in barrier ${all:+wait put}; do
	running a:2,b:2 $what
	links down
	ends "$what, a host cut off" '(PE [0-9] on [ab]\b|daemon.* on node b)'
	links up
done

running a:1,b:1 put 3
wire down 1
sleep 1
wire up 1
wait $job
status=$?
[ $status = 0 ] || broken "cut for 1 s: exit status $status"
sum
