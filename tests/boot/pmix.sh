#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pmix kind under oshrun, or under the launcher that LAUNCH names
# ("mpirun --oversubscribe", say). CLIENTS: where the test programs are.
launch=${LAUNCH:-src/launch/oshrun}
clients=${CLIENTS:-tests/boot}
LSAN_OPTIONS=suppressions=$(dirname "$0")/libpmix.supp:print_suppressions=0
export LSAN_OPTIONS
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
failed=0

command -v "${launch%% *}" >/dev/null || {
	echo "skipped: no launcher $launch"
	exit 77
}

# expect STATUS N "CLIENT [MODE]" [TEXT]: TEXT must be in the output.
expect() {
	# shellcheck disable=SC2086
	timeout -k 2 60 $launch -n "$2" "$clients"/$3 "$2" >"$log" 2>&1
	status=$?
	echo "pmix: $3, $2 PEs: status $status"
	if [ $status -ne "$1" ] || grep -q Sanitizer "$log" ||
		{ [ -n "$4" ] && ! grep -q -- "$4" "$log"; }; then
		echo "failed: expected status $1 and \"$4\", output was:"
		cat "$log"
		failed=1
	fi
}

for n in 1 2 3 8; do
	expect 0 "$n" "pmix_client exchange"
done
expect 0 3 "pmix_client reopen"
expect 0 3 "pmix_client staggered"
expect 0 2 "pmix_client idle"
expect 42 1 "pmix_client abort" "the end"
expect 42 3 "pmix_client abort" "the end"
expect 137 3 "pmix_client die"
expect 44 3 "pmix_client missing" "not all of 3 PEs came within 1 s"
expect 43 1 pmix_hang unanswered
exit $failed
