#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A PMIx server that dies, or is not there, ends its PEs with a line each.
. "${SRCDIR:-.}/tests/lib.sh"
client=$top/tests/boot/pmix_client

both_up() {
	[ "$(wc -l <"$dir/pids")" = 2 ]
}
# Children die with oshrun, by the kernel's hand; theirs don't.
# shellcheck disable=SC2016
oshrun_bg -n 2 sh -c '"$0" wait "$1"; :' "$client" "$dir/pids" \
	>"$dir/out" 2>"$dir/err" &
pid=$!
wait_for both_up
kill -9 "$(pgrep -P $pid -x oshrun-guard)" || fail "found no guardian"
kill -9 $pid
wait $pid
wait_for no_process
for pe in 0 1; do
	lines err 1 "^sirocco: boot: PE $pe on $(hostname) ends: its PMIx server, a daemon of the launcher, is gone"
done
lines err 2 '^'
# Nobody is left to remove it.
rm -rf "$dir/tmp"/*

# A port of which nobody listens.
PMIX_NAMESPACE=gone PMIX_RANK=3 PMIX_VERSION=4.2.2 \
	PMIX_SERVER_URI41='gone.0;tcp4://127.0.0.1:1' PMIX_SECURITY_MODE=native \
	PMIX_BFROP_BUFFER_TYPE=PMIX_BFROP_BUFFER_NON_DESC PMIX_GDS_MODULE=hash \
	timeout -k 5 60 "$client" exchange 4 >"$dir/out" 2>"$dir/err"
status=$?
[ $status != 0 ] && [ $status -lt 124 ] || fail "no server: status $status"
lines err 1 "^sirocco: boot: PE 3 on $(hostname) can't reach the PMIx server of job gone: "
finish
