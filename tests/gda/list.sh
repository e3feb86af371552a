#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shmem_info --nics: what each PE of a job makes of the NICs, as text and JSON.
. "$SRCDIR/tests/lib.sh"

nic=$top/tests/gda/.libs/libfake.so
[ -f "$nic" ] || skip 'the library was built without rdma-core'
FAKE_DIR=$dir/nics
export FAKE_DIR SHMEM_GDA_LIBRARY="$nic"

# device NAME STATE: one of a single port.
device() {
	port=$FAKE_DIR/$1/ports/1
	mkdir -p "$port/gids" "$port/gid_attrs/types"
	echo "$2" >"$port/state"
	echo Ethernet >"$port/link_layer"
	echo ::ffff:10.0.0.9 >"$port/gids/3"
	echo 'RoCE v2' >"$port/gid_attrs/types/3"
}
device mlx5_0 '4: ACTIVE'
device mlx5_1 '4: ACTIVE'
device mlx5_2 '1: DOWN'

info=$top/src/tools/shmem_info
export SHMEM_GDA=mlx5
run 0 -n 3 "$info" --nics
lines out 3 '^PE [012] on '
lines out 9 '^  mlx5_[012]:1 +mlx5 +(active|down) +\? hops, MTU 4096$'
lines out 9 'GID 3, ::ffff:10.0.0.9: RoCE v2, IPv4 address, the best of 1$'
lines out 3 '      taken, number 1$'
lines out 3 '      not taken: the port is not active$'
lines out 3 '      not taken: SHMEM_GDA_NICS_PER_PE=1: others are as near'

# Neighbours take different ones. JSON is one document, of all PEs.
job -n 3 "$info" --nics --json
awk '/"name"/ { name = $2 } /"taken": 1/ { print name }' "$dir/out" \
	>"$dir/taken"
printf '"mlx5_0:1",\n"mlx5_1:1",\n"mlx5_0:1",\n' | cmp - "$dir/taken" ||
	fail 'PEs take other NICs than theirs'
[ "$(grep -c '"pe": ' "$dir/out")" = 3 ] || fail 'JSON is not of 3 PEs'
lines out 9 '"gid_reason": "RoCE v2, IPv4 address, the best of 1"'
lines out 9 '"mtu": 4096'
lines out 0 '"hops"'

export SHMEM_GDA_NICS=mlx5_0
run 0 -n 2 "$info" --nics
lines out 4 'not taken: SHMEM_GDA_NICS leaves it out'
run 1 -n 1 env SHMEM_GDA_NICS=^ "$info" --nics
lines err 1 'SHMEM_GDA_NICS="\^": expected devices or device:port with commas'
run 1 -n 1 env SHMEM_GDA_NICS=mlx5_0,mlx5_7 "$info" --nics
lines err 1 'no NIC mlx5_7; expected some of (mlx5_[012](, |$)){3}'
run 0 -n 1 env SHMEM_GDA=no "$info" --nics
lines out 1 'not taken: SHMEM_GDA=no$'
unset SHMEM_GDA_NICS SHMEM_GDA
run 0 -n 1 "$info" --nics
lines out 2 'takes none where kernels run on CPUs$'

rm -r "$FAKE_DIR"
run 0 -n 1 "$info" --nics
lines out 1 'no NICs: there is no RDMA device on this node'
SHMEM_GDA_LIBRARY=/nowhere/lib.so run 0 -n 1 "$info" --nics
lines out 1 'no NICs: SHMEM_GDA_LIBRARY: /nowhere/lib.so'
finish
