# SPDX-License-Identifier: BSD-3-Clause
# Common to the tests of oshrun; each script sources it first.
#
# run CODE ARGS...: runs oshrun, stdout to $dir/out, stderr to $dir/err, and
# fails unless it exits with CODE. At the end of each script nothing may be
# left: no process that carries our mark, no file in our TMPDIR.
set -u
top=${BUILDDIR:-.}
if [ -z "${OSHRUN:-}" ]; then
	OSHRUN=oshrun
	[ -x "$top/src/launch/oshrun" ] && OSHRUN=$top/src/launch/oshrun
fi
case $OSHRUN in
*/*) OSHRUN=$(cd "$(dirname "$OSHRUN")" && pwd)/$(basename "$OSHRUN") ;;
esac
CLIENT=${OSHRUN_CLIENT:-$(cd "$top" && pwd)/tests/launch/client}
dir=$(mktemp -d) || exit 99
mkdir "$dir/tmp"
TMPDIR=$dir/tmp
export TMPDIR
mark=OSHRUN_TEST_MARK=$$.$(date +%s%N)
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' INT TERM HUP

oshrun() {
	timeout -k 5 60 env "$mark" "$OSHRUN" "$@"
}

# The same, but `$!` after `oshrun_bg ... &` is oshrun itself.
oshrun_bg() {
	exec env "$mark" "$OSHRUN" "$@"
}

fail() {
	echo "FAILED: $*"
	for f in out err; do
		[ -s "$dir/$f" ] && sed "s/^/  $f: /" "$dir/$f" | tail -n 20
	done
	left_pids | xargs -r kill -9
	exit 1
}

skip() {
	echo "skipped: $*"
	exit 77
}

run() {
	want=$1
	shift
	oshrun "$@" >"$dir/out" 2>"$dir/err" </dev/null
	got=$?
	[ "$got" = "$want" ] || fail "oshrun $*: exit code $got, not $want"
}

# out|err N PATTERN: the file has exactly N lines that match.
lines() {
	hits=$(grep -c -E -e "$3" "$dir/$1")
	[ "$hits" = "$2" ] || fail "$1: $hits lines match \"$3\", not $2"
}

# One line of reason on stderr, and nothing else.
one_line() {
	[ "$(wc -l <"$dir/err")" = 1 ] || fail "stderr: expected one line"
	lines err 1 "$1"
}

left_pids() {
	grep -l -s -F -e "$mark" /proc/[0-9]*/environ | cut -d/ -f3
}

# wait_for COMMAND...: until it succeeds, 10 s at most.
wait_for() {
	tries=0
	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 500 ] || fail "waited in vain for: $*"
		sleep 0.02
	done
}

no_process() {
	[ -z "$(left_pids)" ]
}

no_file() {
	[ -z "$(ls -A "$dir/tmp")" ]
}

finish() {
	wait_for no_process
	wait_for no_file
	exit 0
}
