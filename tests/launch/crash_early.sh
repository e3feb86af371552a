#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A PE that dies before or instead of PMIx_Init takes the others along.
. "${SRCDIR:-.}/tests/lib.sh"
run 139 -n 4 sh -c '[ $PMIX_RANK = 1 ] && kill -SEGV $$; exec "$0" fence' \
	"$CLIENT"
lines err 1 '^oshrun: PE 1 .* killed by signal 11'
run 2 -n 4 sh -c '[ $PMIX_RANK = 0 ] && exit 2; exec "$0" fence' "$CLIENT"
lines err 1 '^oshrun: PE 0 .* exited with status 2'
finish
