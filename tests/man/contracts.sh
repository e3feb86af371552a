#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The contracts above the rows of the tables have their form, and the check
# sees those that have not. An edit of a good table must draw a complaint.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tables=$(sed -n 's|^#include <shmem/\(.*\)>|\1|p' \
	"$SRCDIR/include/shmem/tables.def")
tables="$tables kernel.def stream.def exchange.def moe.def network.def"
"$BUILDDIR/man/rows" >"$work/rows" || exit 1

# check DIR: all tables as in DIR.
check() {
	(cd "$1" && ${AWK:-awk} -f "$SRCDIR/man/contracts.awk" "$work/rows" \
		"$SRCDIR/include/shmem/generic.h" \
		"$SRCDIR/include/shmem/exchange.h" $tables) 2>&1
}
check "$SRCDIR/include/shmem" || exit 1

# refuse TABLE EDIT COMPLAINT
faults=0
refuse() {
	rm -rf "$work/shmem"
	cp -R "$SRCDIR/include/shmem" "$work/shmem"
	chmod -R u+w "$work/shmem"
	sed "$2" "$SRCDIR/include/shmem/$1" >"$work/shmem/$1"
	if cmp -s "$SRCDIR/include/shmem/$1" "$work/shmem/$1"; then
		echo "$1: nothing to edit by $2"
	elif check "$work/shmem" >"$work/said"; then
		echo "$1: edited by $2, passes"
	elif ! grep -q "^$1:[0-9]*: .*$3" "$work/said"; then
		echo "$1: edited by $2, expected \"$3\", but it said:"
		cat "$work/said"
	else
		return
	fi
	faults=$((faults + 1))
}
refuse rma.def '/^ \* Source: .*9\.6\.1\.1$/d' 'no Source'
refuse rma.def 's/^ \* Source: .*9\.6\.1\.1$/ * Source: memory/' \
	'names no section'
refuse rma.def '/^ \* Errors: as shmem_put\.$/d' 'no Errors'
refuse rma.def '/^ \* Ordering: none; /d' 'no Ordering'
refuse amo.def '/^ \* Completion: on return/d' 'no Completion'
refuse memory.def '/^ \* Collective: over all PEs, in/,/^ \*	/d' \
	'no Collective'
refuse deprecated.def '/^ \* Deprecated: since 1.4, for the/d' 'no Deprecated'
refuse setup.def '/^ \* Returns: at least 1/d' 'no Returns'
refuse setup.def 's/^ \* Errors: none\.$/ * Returns: 0.\n&/' \
	'there is no result'
refuse rma.def '/^ \* nelems  in: elements; 0/d' 'nelems is not described'
refuse rma.def '/^ \* ctx     in: /d' 'ctx is not described'
refuse rma.def 's/^ \* value  in: /&what\n * words  in: /' \
	'words is no argument'
refuse rma.def 's/^ \* value  in: .*/&\n&/' 'value is described twice'
refuse rma.def 's/^ \* shmem_put - /& /; s/ - / is /' 'no summary'
refuse rma.def 's/^ \* shmem_p - / * shmem_q - /' 'stands above the rows of'
refuse amo.def 's/shmem_atomic_fetch_add, shmem_atomic_add - /shmem_atomic_add - /' \
	'stands above the rows of'
refuse rma.def 's/^ \* Writes value .*//' 'no description'
refuse rma.def 's/^ \* Notes: /&\n * Remarks: /' 'unknown label Remarks'
refuse rma.def 's/^ \* Errors: as shmem_get\./ * Source: x\n&/' \
	'out of order'
refuse lock.def 's/^ \* Completion: /&much too long, much too long, much too long, /' \
	'80 columns'
refuse order.def 's/^SHMEMI_PLAIN(void, shmem_fence, (void))/&\n&/' \
	'stands above the rows of'
refuse lock.def '/^\/\*$/,/^ \*\/$/d' 'a row without a contract'
refuse kernel.def 's/^ \* Source: Sirocco, kernels/ * Source: kernels/' \
	'names no section'
refuse stream.def 's/^SHMEMI_STREAM_RMA(put, _nbi, PUT, put)/&\n&/' \
	'stands above the rows of'
refuse exchange.def '/^ \* Collective: as shmemx_alltoallv_2d\./d' \
	'no Collective'
refuse exchange.def 's/^SHMEMI_COLL(alltoallv, ALLTOALLV, alltoallv)/&\n&/' \
	'stands above the rows of'
[ $faults -eq 0 ]
