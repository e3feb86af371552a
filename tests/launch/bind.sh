#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --bind and --map-by: PEs run where they are told to and PMIx knows it.
. "${SRCDIR:-.}/tests/lib.sh"
cpus='grep Cpus_allowed_list /proc/self/status'
for bind in none core hwthread numa socket; do
	for map in slot core numa socket; do
		run 0 -n 3 --bind $bind --map-by $map --report-bindings \
			sh -c "$cpus"
		lines out 3 'Cpus_allowed_list'
		lines err 3 '^oshrun: PE [012] \(host .+\) (not bound|bound to )'
	done
done
run 0 -n 1 sh -c "$cpus"
mv "$dir/out" "$dir/all"
run 0 -n 1 --bind none sh -c "$cpus"
cmp "$dir/out" "$dir/all" || fail "--bind none binds"
if [ "$(nproc)" -gt 1 ]; then
	run 0 -n 2 --bind hwthread sh -c "$cpus"
	[ "$(sort -u "$dir/out" | wc -l)" = 2 ] || fail "PEs share a thread"
	run 0 -n 2 --bind hwthread "$CLIENT" place
	lines out 2 '^[01] CPUSET=hwloc:[0-9]+$'
	lines out 2 '^[01] LOCALITY=.*HT[0-9]'
	# oshrun stays inside what it may use itself.
	one=$(taskset -cp $$ | sed 's/.*[: ]\([0-9]*\)[-,0-9]*$/\1/')
	taskset -c "$one" true || skip "cannot set affinity"
	taskset -c "$one" env "$mark" "$OSHRUN" sh -c "$cpus" >"$dir/out"
	lines out 1 "[^0-9]$one\$"
fi
finish
