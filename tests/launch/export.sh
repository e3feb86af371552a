#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# -x in its forms; SHMEM_ variables pass; an outer launcher's do not.
. "${SRCDIR:-.}/tests/lib.sh"
SHMEM_SYMMETRIC_SIZE=1M GIVEN=here run 0 -n 2 -x GIVEN -x NEW=a=b,c -x EMPTY= \
	-x PMIX_MCA_x=kept --tag-output env
[ -s "$dir/err" ] && fail "noise on stderr"
for v in GIVEN=here NEW=a=b,c EMPTY= SHMEM_SYMMETRIC_SIZE=1M \
	PMIX_MCA_x=kept; do
	lines out 2 "^\[[01]\] $v\$"
done
run 0 -n 1 -x NO_SUCH_VARIABLE true
one_line '^oshrun: -x NO_SUCH_VARIABLE: no such variable'
export PMIX_NAMESPACE=outer PMIX_RANK=7 PMIX_SERVER_URI2=nowhere \
	OMPI_COMM_WORLD_RANK=7 PRTE_x=7 PMI_RANK=7 PMIX_MCA_ptl=nonsense
run 0 -n 2 env
lines out 0 '^OMPI_|^PRTE_|^PMI_|outer|nowhere|nonsense'
run 0 -n 2 "$CLIENT" fence
finish
