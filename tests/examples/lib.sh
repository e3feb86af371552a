# SPDX-License-Identifier: BSD-3-Clause
# Common to the tests of the examples; each script sources it first.
#
# run CODE NPES PROGRAM ARGS...: runs it with NPES PEs, stdout to $dir/out and
# stderr to $dir/err, and fails unless the job exits with CODE.
set -u
top=${BUILDDIR:-.}
examples=${EXAMPLES:-$top/examples}
OSHRUN=${OSHRUN:-$top/src/launch/oshrun}
all_pes=${TEST_PES:-1 2 3 4 8}
limit=${TEST_TIMEOUT:-120}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' INT TERM HUP

fail() {
	echo "FAILED: $*"
	for f in out err; do
		[ -s "$dir/$f" ] && sed "s/^/  $f: /" "$dir/$f" | tail -n 20
	done
	exit 1
}

skip() {
	echo "skipped: $*"
	exit 77
}

run() {
	want=$1 npes=$2
	shift 2
	timeout -k 5 "$limit" "$OSHRUN" -n "$npes" "$@" \
		>"$dir/out" 2>"$dir/err" </dev/null
	got=$?
	[ "$got" = "$want" ] || fail "$npes PEs, $*: exit code $got, not $want"
}

# out|err N PATTERN: the file has exactly N lines that match.
lines() {
	hits=$(grep -c -E -e "$3" "$dir/$1")
	[ "$hits" = "$2" ] || fail "$1: $hits lines match \"$3\", not $2"
}

# last PATTERN: the last line of stdout matches.
last() {
	tail -n 1 "$dir/out" | grep -q -E -e "$1" ||
		fail "the last line does not match \"$1\""
}

# make_text N: N words of a small vocabulary, ten a line, each line with a full
# stop.
make_text() {
	awk -v n="$1" 'BEGIN {
		for (i = 1; i <= n; i++)
			printf "w%d%s", i * i % 97, i % 10 ? " " : ".\n"
	}'
}
