#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MoE exchanges that can't be: one line of each PE that is concerned names the
# routine, the field or argument, its value and what was expected.
. "${SRCDIR:-.}/tests/lib.sh"
tests=${GPU_TESTS:-$top/tests/moe}
suffix=${GPU_SUFFIX:-}
limit=60
invalid='returned Invalid argument$'

# refused N RESULT PATTERN ARGS...: by N PEs, each with a line.
refused() {
	n=$1 result=$2 pattern=$3
	shift 3
	run 0 -n "$n" "$tests/misuse$suffix" "$@"
	says "$n" "^sirocco: PE [0-9]+: $pattern"
	lines out "$n" "$result"
}

# field FIELD VALUE TEXT: a configuration that is nowhere right.
field() {
	refused 2 "$invalid" "shmemx_moe_sizes: config\\.$3\$" \
		sizes "$1" "$2"
}
field version 2 'version is 2, expected 1'
field n_experts 0 'n_experts is 0, expected 1 to [0-9]+'
field n_experts 5 'n_experts is 5, expected a multiple of 2, the PEs .*'
field top_k 0 'top_k is 0, expected 1 to 16'
field top_k 17 'top_k is 17, expected 1 to 16'
field hidden 0 'hidden is 0, expected 1 to .*'
field hidden 12 'hidden is 12, expected a multiple of 8, 16 bytes .*'
field fp8,hidden 64 'hidden is 64, expected a multiple of 128, .* scale'
field dtype 3 'dtype is 3, expected 0 to 2'
field quant 2 'quant is 2, expected 0 to 1'
field layout 2 'layout is 2, expected 0 to 1'
field max_tokens 0 'max_tokens is 0, expected 1 to [0-9]+'
field max_tokens 4294967295 'max_tokens is 4294967295, expected 1 to .*'
field alignment 4294967295 'alignment is 4294967295, expected 0 to .*'
field slots,alignment 2 'alignment with SHMEMX_MOE_SLOTS is 2, .* 0 to 1'
field slots,capacity 9 'capacity with SHMEMX_MOE_SLOTS is 9, expected 0'
field id_bytes 2 'id_bytes is 2, expected 4 or 8'
field capacity 4294967296 'capacity is 4294967296, expected 0 to .*'
field n_wgs 4294967295 'n_wgs is 4294967295, expected 0 to .*'
field unused 1 'unused is 1, expected 0'
field team 0 'team is .*, expected a team of this PE'
refused 2 "$invalid" 'shmemx_moe_sizes: a PE could receive 8589934592 rows, .*' \
	sizes slots,n_experts 536870912

# differs FIELD VALUE TEXT: the last of three PEs has another one.
differs() {
	refused 3 "$invalid" "shmemx_moe_create: config\\.$1 is $3" \
		create "$1" "$2"
}
differs n_experts 9 '6 on PE 0 of the team, but 9 on PE 2$'
differs top_k 3 '2 on PE 0 of the team, but 3 on PE 2$'
differs hidden 256 '128 on PE 0 of the team, but 256 on PE 2$'
differs dtype 1 '0 on PE 0 of the team, but 1 on PE 2$'
differs quant 1 '0 on PE 0 of the team, but 1 on PE 2$'
differs layout 1 '0 on PE 0 of the team, but 1 on PE 2$'
differs max_tokens 17 '16 on PE 0 of the team, but 17 on PE 2$'
differs alignment 4 '0 on PE 0 of the team, but 4 on PE 2$'
differs id_bytes 8 '4 on PE 0 of the team, but 8 on PE 2$'
differs capacity 50 '0 on PE 0 of the team, but 50 on PE 2$'
differs n_wgs 2 '0 on PE 0 of the team, but 2 on PE 2$'

# One that can't be, of one member: none waits for it.
run 0 -n 3 "$tests/misuse$suffix" create top_k 17
lines out 3 "$invalid"
lines err 1 'PE 2: shmemx_moe_create: config.top_k is 17, expected 1 to 16$'
lines err 2 'PE [01]: shmemx_moe_create: PE 2 of the team has a config.* be$'
says 3 shmemx_moe_create
# That of one PE, whose team nobody knows, or of another team.
unable='shmemx_moe_create: PE 2 .*has a configuration that can.t be$'
run 0 -n 3 "$tests/misuse$suffix" create team 0
lines out 3 "$invalid"
lines err 1 'PE 2: shmemx_moe_create: config.team is .*, expected a team .*'
lines err 2 "PE [01]: $unable"
run 0 -n 3 "$tests/misuse$suffix" create config 0
lines out 3 "$invalid"
lines err 1 'PE 2: shmemx_moe_create: config is NULL$'
lines err 2 "PE [01]: $unable"
run 0 -n 3 "$tests/misuse$suffix" other_team
lines out 3 "$invalid"
lines err 1 'PE 2: shmemx_moe_create: config.top_k is 17, .*'
lines err 2 "PE [01]: $unable"
refused 2 "$invalid" 'shmemx_moe_create: config.workspace is not .* PE 0$' \
	other_place
refused 1 "$invalid" 'shmemx_moe_create: config.workspace has 64 bytes, .*' \
	create workspace 3
refused 1 "$invalid" 'shmemx_moe_create: config.workspace is 0x.* symmetric' \
	create workspace 2
refused 1 "$invalid" 'shmemx_moe_create: config.workspace is 0x.* of 64$' \
	create workspace 1
refused 2 'returned Cannot allocate memory$' \
	'shmemx_moe_create: the symmetric heap has no room for a workspace' \
	large

# call NAME PATTERN
call() {
	refused 2 "$invalid" "shmemx_moe_$2\$" "$1"
}
call no_config 'create: config is NULL'
call no_moe 'dispatch_send: moe is NULL'
call no_layout 'combine: layout is NULL'
call many_tokens 'dispatch_send: n_tokens is 17, expected 0 to 16'
call other_tokens 'dispatch: n_tokens is 15, expected 16, those of .*'
call no_rows 'dispatch_send: rows is NULL'
call no_x 'dispatch: x is NULL'
call odd_x 'dispatch: x is 0x[0-9a-f]+, expected a multiple of 16'
call odd_rows 'dispatch_send: rows is 0x[0-9a-f]+, .* multiple of 16'
call scales 'dispatch_send: scales is 0x[0-9a-f]+, expected NULL .*'
call no_out 'combine: out is NULL'
call unfilled 'combine: no dispatch has filled the layout'
call unfilled_cached 'dispatch: no dispatch has filled the layout'
call same_grads 'combine_backward: grad_rows is rows, .*'
call weights_alone 'combine_backward: rows is NULL, but grad_weights is not'
call no_grad_weights 'combine_backward: grad_weights is NULL'
call recv_alone 'dispatch_recv: moe has no send that lacks this recv'
call recv_other 'dispatch_backward_recv: moe has no send that .*'
refused 2 'returned Device or resource busy$' \
	'shmemx_moe_dispatch_send: .* lacks its recv: shmemx_moe_combine_send$' \
	busy

# ends NAME PATTERN: the job ends.
ends() {
	run_fails -n 1 "$tests/misuse$suffix" "$1"
	[ $got = 1 ] || fail "$1: exit code $got, not 1"
	lines out 0 returned
	says 1 "^sirocco: PE 0: shmemx_moe_$2"
}
symmetric='is 0x[0-9a-f]+, expected an address in the symmetric heap'
ends rows_elsewhere "dispatch_send: rows $symmetric"
ends results_elsewhere "combine: rows $symmetric"
ends grads_elsewhere "combine_backward: grad_rows $symmetric"
ends layout_gone \
	'layout_destroy: layout is of an .* its recv: shmemx_moe_combine_send$'
ends with_layouts 'destroy: moe has 2 layouts, expected none$'
SHMEM_CHECK=1
export SHMEM_CHECK
ends short_rows 'dispatch_send: [0-9]+ bytes at rows 0x.*, but only '
finish
