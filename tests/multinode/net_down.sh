#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# net_down.sh NET [PID]: removes all namespaces NET-* with what runs in them,
# once process PID is gone.
net=$1
trap '' INT TERM HUP
[ $# = 1 ] || tail --pid="$2" -s 0.5 -f /dev/null

namespaces() {
	ls /run/netns 2>/dev/null | grep -e "^$net-"
}

for ns in $(namespaces); do
	ip netns pids "$ns"
done | xargs -r kill -9 2>/dev/null
for ns in $(namespaces); do
	ip netns del "$ns"
	rm -rf "/etc/netns/$ns"
done
rmdir /etc/netns 2>/dev/null
exit 0
