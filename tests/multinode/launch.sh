#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# oshrun --host over hosts: places, output, settings and status.
. "$SRCDIR/tests/multinode/net.sh"
limit=30
hosts_up a b c
HOSTS=a:2,b:1,c:2 run 0 -n 5 "$CLIENT" keys
lines out 2 ' HOSTNAME=a$'
lines out 1 ' HOSTNAME=b$'
lines out 2 ' HOSTNAME=c$'
lines out 5 ' JOB_SIZE=5$'
lines out 5 ' NUM_NODES=3$'
lines out 1 '^2 LOCAL_SIZE=1$'
lines out 1 '^4 NODEID=2$'
HOSTS=a:2,b:5 run 0 -n 3 "$CLIENT" keys
lines out 1 ' HOSTNAME=b$'
# Settings reach PEs on other hosts.
SHMEM_TIMEOUT=77 HOSTS=a:1,b:1 run 0 -n 2 \
	sh -c 'echo "$SHMEM_TIMEOUT $UCX_TLS"'
lines out 2 "^77 $UCX_TLS\$"
HOSTS=b:1,c:1 run 7 -n 2 "$CLIENT" abort 7
wait_for hosts_idle
HOSTS=b:1,c:1 run 5 -n 2 sh -c 'exit 5'
HOSTS=a:1,c:1 run 0 -n 2 "$bin/hello"
finish
