#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What goes wrong on one host ends every PE on all, within SHMEM_TIMEOUT, with a
# line that names the PE and its host; and nothing runs on.
. "$SRCDIR/tests/multinode/break.sh"
hosts_up a b

for what in put wait ${all:+barrier get amo nbi reduce lock compute}; do
	running a:2,b:2 $what
	kill -9 "$(pid_of 3)"
	ends "$what, PE 3 killed" '(PE 3 .*\bb\b|rank 3 .* on node b)'
done

# daemon HOST: of the launcher.
daemon() {
	for pid in $(ip netns pids "$net-$1"); do
		grep -q -x -e orted -e prted "/proc/$pid/comm" && echo "$pid"
	done
}

for what in wait ${all:+barrier put compute}; do
	running a:2,b:2 $what
	daemon b | xargs kill -9
	ends "$what, the daemon of b killed" \
		'(PE [23] on b\b|[Dd]aemon.*\bb\b|node.*\bb\b)'
done

# A host that has the other's address: there, nobody listens.
ip -n "$net-a" addr add 10.78.0.2/32 dev lo
start a:1,b:1 "$busy" put
ends 'connection refused'
ip -n "$net-a" addr del 10.78.0.2/32 dev lo

ip -n "$net-a" route add unreachable 10.78.0.2/32
start a:1,b:1 "$busy" put
ends 'no route to b'
ip -n "$net-a" route del unreachable 10.78.0.2/32

ip -n "$net-sw" link set fab0-b down
start a:2,b:2 "$busy" put
ends 'nothing comes through from the start'
ip -n "$net-sw" link set fab0-b up

for tls in bogus posix,self self; do
	UCX_TLS=$tls start a:2,b:2 "$busy" put
	ends "UCX_TLS=$tls" "^sirocco: .*\\b[ab]\\b.*UCX_TLS.*$tls"
done

# other PE SETTING COMMAND...: runs it, on that PE with the setting.
other='[ "$PMIX_RANK" != "$0" ] || export "$1"; shift; exec "$@"'
start a:2,b:2 sh -c "$other" 3 SHMEM_SYMMETRIC_SIZE=8m "$bin/hello"
ends 'sizes of heaps differ' \
	'^sirocco: .*PE [0-9] on [ab] has another SHMEM_SYMMETRIC_SIZE'
start a:2,b:2 sh -c '[ "$PMIX_RANK" != 3 ] || exec "$1" static
	exec "$0" static' "$bin/plain" "$bin/plain_other"
ends 'executables differ' '^sirocco: .*PE [0-9] on [ab] has another executable'

preload=LD_PRELOAD=$top/tests/multinode/.libs/libother.so
start a:2,b:2 env OTHER_PE=3 "$preload" "$bin/hello"
ends 'versions differ' '^sirocco: .*PE [0-9] on [ab] has another version'
start a:2,b:2 env OTHER_PE=3 OTHER_BYTES=8 "$preload" "$bin/hello"
ends 'versions differ in what they tell' \
	'^sirocco: .*PE 3 .*PE [0-2] on [ab] .*library'
sum
