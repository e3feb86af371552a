#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What PMIx clients are told.
. "${SRCDIR:-.}/tests/lib.sh"
run 0 -n 3 "$CLIENT" keys
for k in UNIV_SIZE=3 JOB_SIZE=3 LOCAL_SIZE=3 NODE_SIZE=3 MAX_PROCS=3 \
	LOCAL_PEERS=0,1,2 NUM_NODES=1 JOB_NUM_APPS=1 NODEID=0 APPNUM=0 \
	"HOSTNAME=$(hostname)"; do
	lines out 3 "^[012] $k\$"
done
for i in 0 1 2; do
	lines out 1 "^$i LOCAL_RANK=$i\$"
	lines out 1 "^$i NODE_RANK=$i\$"
done
run 0 -n 1 "$CLIENT" keys
lines out 1 'LOCAL_PEERS=0$'
finish
