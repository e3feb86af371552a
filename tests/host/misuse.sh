#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Misuse, with SHMEM_CHECK=1 and where stated without: one line that names the
# routine, the argument, the PE, the value and what was expected, and a status
# that is not 0.
. "${SRCDIR:-.}/tests/lib.sh"
limit=20
pe='^sirocco: PE 0: '

# misuse N NAME PATTERN: N lines, each from the PE that is wrong.
misuse() {
	run_fails -n 2 "$bin/misuse" "$2"
	[ $got = 1 ] || fail "$2: exit code $got, not 1"
	says "$1" "$3"
	lines err 0 'unnoticed'
}

# Of those that all PEs do wrong, one or both are heard.
misuse_all() {
	run_fails -n 2 "$bin/misuse" "$1"
	lines err 0 'unnoticed'
	hits=$(grep -c '^sirocco: ' "$dir/err")
	[ "$hits" = 1 ] || [ "$hits" = 2 ] || fail "$1: $hits lines"
	lines err "$hits" "$2"
}

SHMEM_CHECK=1
export SHMEM_CHECK
misuse 1 pe_high "$pe"'shmem_long_p: pe is 2, expected 0 to 1$'
misuse 1 pe_negative "$pe"'shmem_long_put: pe is -3, expected 0 to 1$'
misuse 1 pe_get "$pe"'shmem_long_g: pe is 1000, expected 0 to 1$'
misuse 1 pe_amo "$pe"'shmem_long_atomic_inc: pe is 2, expected 0 to 1$'
misuse 1 pe_signal "$pe"'shmem_signal_add: pe is -1, expected 0 to 1$'
misuse 1 pe_zero_length "$pe"'shmem_putmem: pe is 2, expected 0 to 1$'
misuse 1 pe_quiet "$pe"'shmem_pe_quiet: .*77, expected 0 to 1$'
symmetric='is 0x[0-9a-f]+, expected an address in the symmetric heap'
misuse 1 stack_dest "$pe"'shmem_long_put: dest '"$symmetric"
misuse 1 malloc_source "$pe"'shmem_long_get: source '"$symmetric"
misuse 1 null_dest "$pe"'shmem_long_put: dest is .*, expected an address'
misuse 1 stack_amo "$pe"'shmem_long_atomic_add: dest '"$symmetric"
misuse 1 stack_wait "$pe"'shmem_long_wait_until: ivar '"$symmetric"
misuse 1 stack_lock "$pe"'shmem_set_lock: lock '"$symmetric"
misuse 1 stack_signal "$pe"'shmem_long_put_signal: sig_addr '"$symmetric"
misuse 1 past_end "$pe"'shmem_long_put: 8000 bytes at dest .*only 8[0-9]+ '
misuse 1 past_end_strided "$pe"'shmem_long_iput: 3608 bytes at dest '
misuse 1 size_overflow "$pe"'shmem_long_put: [0-9]+ elements'
misuse 1 freed "$pe"'shmem_long_p: dest is .* no block that is allocated'
misuse 1 overlap "$pe"'shmem_putmem: dest and source overlap'
misuse 1 misaligned "$pe"'shmem_long_atomic_inc: dest .*a multiple of 8$'
misuse 1 misaligned_signal "$pe"'shmem_signal_set: sig_addr .*multiple of 8$'
misuse 1 bad_cmp "$pe"'shmem_long_wait_until: cmp is 42, expected'
misuse 1 bad_cmp_test "$pe"'shmem_long_test_any: cmp is -1, expected'
misuse 1 bad_sig_op "$pe"'shmem_long_put_signal: sig_op is 9, expected'
misuse 1 ctx_invalid "$pe"'shmem_ctx_long_p: ctx is SHMEM_CTX_INVALID'
misuse 1 clear_unheld "$pe"'shmem_clear_lock: lock .*not held'
misuse_all double_free 'shmem_free: ptr is 0x.*, expected .*not freed$'
misuse_all free_middle 'shmem_free: ptr is 0x.*, expected'
misuse_all free_static 'shmem_free: ptr is 0x.*, expected'
misuse_all realloc_freed 'shmem_realloc: ptr is 0x.*, expected'
misuse_all coll_routine 'shmem_long_(fcollect|alltoall): PE [01] calls shmem_'
misuse_all coll_count 'shmem_long_fcollect: [0-9]+ bytes here, but [0-9]+ '
misuse_all coll_root 'shmem_long_broadcast: PE_root is [01] here, but [01] on'
misuse_all coll_root_high 'shmem_long_broadcast: PE_root is 2, expected 0 to 1'
misuse_all coll_stack 'shmem_long_sum_reduce: dest '"$symmetric"
misuse_all coll_overlap 'shmem_long_sum_reduce: dest .* source .* overlap'
misuse_all coll_type 'shmem_long_(sum|max)_reduce: PE [01] calls'
misuse_all active_set 'shmem_long_sum_to_all: PE_start 0, .*PE_size 3'

# What is wrong without checks as well.
unset SHMEM_CHECK
for check in 0 1; do
	SHMEM_CHECK=$check
	export SHMEM_CHECK
	misuse_all before_my_pe 'shmem_my_pe: called before shmem_init'
	misuse_all before_put 'shmem_long_p: called before shmem_init'
	misuse_all before_malloc 'shmem_malloc: called before shmem_init'
	misuse_all before_barrier 'shmem_barrier_all: called before shmem_init'
	misuse_all before_ctx 'shmem_ctx_quiet: called before shmem_init'
	misuse_all after_n_pes 'shmem_n_pes: called .*after shmem_finalize'
	misuse_all after_get 'shmem_long_g: called .*after shmem_finalize'
	misuse_all after_team 'shmem_team_my_pe: called .*after shmem_final'
	misuse_all after_lock 'shmem_set_lock: called .*after shmem_finalize'
	misuse_all after_reduce 'shmem_long_sum_reduce: called .*after shmem_f'
done
SHMEM_CHECK=0
misuse 1 stack_dest "$pe"'shmem_long_put: 0x'
misuse 1 null_dest "$pe"'shmem_long_put: '
misuse 1 stack_amo "$pe"'shmem_long_atomic_add: 0x'
misuse 1 bad_sig_op "$pe"'shmem_long_put_signal: sig_op is 9'
misuse_all double_free 'shmem_free: ptr is 0x'
finish
