# SPDX-License-Identifier: BSD-3-Clause
# Common to the scripts that run real programs; each sources it first.
#
# run CODE ARGS...: runs oshrun, stdout to $dir/out, stderr to $dir/err, and
# fails unless it exits with CODE within $limit seconds. At the end nothing may
# be left: no process that carries our mark, no file in TMPDIR or /dev/shm.
set -u
top=$(cd "${BUILDDIR:-.}" && pwd)
OSHRUN=${OSHRUN:-$top/src/launch/oshrun}
bin=$top/tests/host
limit=${TEST_LIMIT:-60}
dir=$(mktemp -d) || exit 99
mkdir "$dir/tmp"
TMPDIR=$dir/tmp
export TMPDIR
mark=HOST_TEST_MARK=$$.$(date +%s%N)
shm_before=$(ls /dev/shm 2>/dev/null | grep -i -e sirocco -e shmem)
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' INT TERM HUP

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

job() {
	timeout -k 5 "$limit" env "$mark" "$OSHRUN" "$@" \
		>"$dir/out" 2>"$dir/err" </dev/null
}

run() {
	want=$1
	shift
	job "$@"
	got=$?
	[ "$got" = "$want" ] || fail "oshrun $*: exit code $got, not $want"
}

# Any exit code but 0, and not for want of time.
run_fails() {
	job "$@"
	got=$?
	[ $got != 0 ] || fail "oshrun $*: it should have failed"
	[ $got != 124 ] && [ $got != 137 ] || fail "oshrun $*: hung"
}

# out|err N PATTERN: the file has exactly N lines that match.
lines() {
	hits=$(grep -c -E -e "$3" "$dir/$1")
	[ "$hits" = "$2" ] || fail "$1: $hits lines match \"$3\", not $2"
}

# N PATTERN: the library says N lines in all, and they match.
says() {
	lines err "$1" "$2"
	lines err "$1" '^sirocco: '
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

nothing_left() {
	[ -z "$(left_pids)" ] && [ -z "$(ls -A "$dir/tmp")" ] &&
		[ "$(ls /dev/shm 2>/dev/null | grep -i -e sirocco -e shmem)" \
			= "$shm_before" ]
}

finish() {
	wait_for nothing_left
	exit 0
}
