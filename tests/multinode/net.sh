# SPDX-License-Identifier: BSD-3-Clause
# Hosts of tests with several nodes: network namespaces with host names of
# their own. Scripts source this instead of lib.sh, then
#
# hosts_up a b ...   makes hosts, at most d, on a network `lan0` for launchers
#                    and, over a bridge, `fab0` for UCX (10.78.0.1 ...)
# hosts_up -w a b    the same with fab0 by tests/multinode/wire
# on HOST COMMAND... runs a command on a host
# wire COMMAND...    tells the wire, which names hosts by number, from 0
#
# OSHRUN is then a script that runs oshrun on the first host and spreads the
# PEs of -n over all, or as HOSTS=a:3,b:5 says; so that lib.sh's run and
# tests/run start jobs on several nodes. Daemons start by a remote shell that
# passes no variable of the environment but PATH and those of the tests.
. "${SRCDIR:-.}/tests/lib.sh"
here=$SRCDIR/tests/multinode
net=sirocco$$
hosts=
guardian=
wire=

net_down() {
	exec 8>&-
	# shellcheck disable=SC2086
	kill -9 $guardian $wire 2>/dev/null
	sh "$here/net_down.sh" "$net"
	rm -rf "$dir"
}

# Why there can be no namespaces, or nothing.
net_missing() {
	for command in ip mpirun unshare hostname setsid; do
		command -v $command >/dev/null || echo "no $command"
	done
	[ "$(id -u)" = 0 ] || echo "not root"
	grep -q 'define HAVE_UCX 1' "$top/config.h" || echo "no UCX"
}

# Kills of this script itself leave nothing either.
net_guard() {
	trap net_down EXIT
	setsid sh "$here/net_down.sh" "$net" $$ >/dev/null 2>&1 </dev/null &
	guardian=$!
}

# bridged DEVICE SUBNET HOST NUMBER: a link from a host to a bridge.
bridged() {
	ip -n "$net-sw" link show "$1" >/dev/null 2>&1 ||
		ip -n "$net-sw" link add "$1" up type bridge
	ip -n "$net-sw" link add "$1-$3" master "$1" up type veth \
		peer name "$1" netns "$net-$3"
	address "$@"
}

address() {
	ip -n "$net-$3" addr add "$2.$4/24" dev "$1"
	ip -n "$net-$3" link set "$1" up
}

names() {
	cat <<-END
		127.0.0.1 localhost
		10.77.0.1 a
		10.77.0.2 b
		10.77.0.3 c
		10.77.0.4 d
	END
}

host_up() {
	ip netns add "$net-$1"
	ip -n "$net-$1" link set lo up
	mkdir -p "/etc/netns/$net-$1"
	names >"/etc/netns/$net-$1/hosts"
	bridged lan0 10.77.0 "$1" "$2"
}

wire_up() {
	mkfifo "$dir/wire"
	ports=
	for h in $hosts; do
		ports="$ports $net-$h:fab0"
	done
	# shellcheck disable=SC2086
	nice -n -10 "$top/tests/multinode/wire" $ports <>"$dir/wire" \
		>"$dir/wired" &
	wire=$!
	exec 8>"$dir/wire"
	wait_for grep -q ready "$dir/wired"
}

wire() {
	echo "$*" >&8
}

scripts() {
	cat >"$dir/rsh" <<-END
		#!/bin/sh
		host=\$1
		shift
		exec ip netns exec "$net-\$host" env -i PATH="\$PATH" \
			HOME="\$HOME" TMPDIR="$TMPDIR" $mark \
			unshare --uts --ipc \
			sh -c "hostname \$host; exec \$*"
	END
	cat >"$dir/oshrun" <<-END
		#!/bin/sh
		hosts="$hosts"
		oshrun=$OSHRUN
		. $here/spread.sh
		exec ip netns exec "$net-a" unshare --uts --ipc \
			sh -c 'hostname a; exec "\$@"' sh \$oshrun "\$@"
	END
	chmod +x "$dir/rsh" "$dir/oshrun"
}

launcher() {
	OMPI_MCA_plm_rsh_agent=$dir/rsh
	OMPI_MCA_oob_tcp_if_include=lan0
	OMPI_ALLOW_RUN_AS_ROOT=1
	OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	UCX_TLS=${UCX_TLS-tcp,self}
	UCX_NET_DEVICES=${UCX_NET_DEVICES-fab0}
	export OMPI_MCA_plm_rsh_agent OMPI_MCA_oob_tcp_if_include \
		OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
		UCX_TLS UCX_NET_DEVICES
	PATH=$(dirname "$OSHRUN"):$PATH
	scripts
	OSHRUN=$dir/oshrun
}

hosts_up() {
	missing=$(net_missing)
	[ -z "$missing" ] || skip "$missing"
	fabric=bridged
	[ "$1" != -w ] || {
		fabric=address
		shift
	}
	hosts=$*
	ip netns add "$net-sw" 2>"$dir/err" || skip "$(cat "$dir/err")"
	net_guard
	n=0
	for h in $hosts; do
		n=$((n + 1))
		host_up "$h" $n
	done
	[ $fabric = bridged ] || wire_up
	n=0
	for h in $hosts; do
		n=$((n + 1))
		$fabric fab0 10.78.0 "$h" $n
	done
	launcher
}

on() {
	host=$1
	shift
	ip netns exec "$net-$host" unshare --uts --ipc \
		sh -c 'hostname "$0"; exec "$@"' "$host" "$@"
}

# What runs on the hosts, as lib.sh's no_process, whatever its environment.
hosts_idle() {
	for h in $hosts; do
		[ -z "$(ip netns pids "$net-$h")" ] || return 1
	done
}
