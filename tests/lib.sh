# SPDX-License-Identifier: BSD-3-Clause
# Common to the scripts that start jobs; each sources it first.
#
# run CODE ARGS...: runs oshrun, stdout to $dir/out, stderr to $dir/err, and
# fails unless it exits with CODE within $limit seconds. After `finish` nothing
# may be left: no process that carries our mark, no file in TMPDIR or /dev/shm.
set -u
top=$(cd "${BUILDDIR:-.}" && pwd)
OSHRUN=${OSHRUN:-$top/src/launch/oshrun}
CLIENT=$top/tests/launch/client
bin=$top/tests/host
examples=${EXAMPLES:-$top/examples}
all_pes=${TEST_PES:-1 2 3 4 8}
limit=${TEST_TIMEOUT:-120}
dir=$(mktemp -d) || exit 99
mkdir "$dir/tmp"
TMPDIR=$dir/tmp
export TMPDIR
mark=SIROCCO_TEST_MARK=$$.$(date +%s%N)
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

oshrun() {
	timeout -k 5 "$limit" env "$mark" "$OSHRUN" "$@"
}

# The same, but `$!` after `oshrun_bg ... &` is oshrun itself.
oshrun_bg() {
	exec env "$mark" "$OSHRUN" "$@"
}

job() {
	oshrun "$@" >"$dir/out" 2>"$dir/err" </dev/null
}

run() {
	want=$1
	shift
	job "$@"
	got=$?
	[ "$got" = "$want" ] || fail "oshrun $*: exit code $got, not $want"
}

# on_nodes NODE_SIZE PES PROGRAM...: programs of tests/, each by so many PEs on
# pretended nodes.
on_nodes() {
	export SHMEM_NODE_SIZE="$1"
	pes=$2
	shift 2
	for program; do
		begin=$(date +%s)
		run 0 -n "$pes" "$top/tests/$program"
		echo "$program, $pes PEs, $SHMEM_NODE_SIZE a node:" \
			"$(($(date +%s) - begin)) s"
	done
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

# last PATTERN: the last line of stdout matches.
last() {
	tail -n 1 "$dir/out" | grep -q -E -e "$1" ||
		fail "the last line does not match \"$1\""
}

# One line of reason on stderr, and nothing else.
one_line() {
	[ "$(wc -l <"$dir/err")" = 1 ] || fail "stderr: expected one line"
	lines err 1 "$1"
}

# N PATTERN: the library says N lines in all, and they match.
says() {
	lines err "$1" "$2"
	lines err "$1" '^sirocco: '
}

# make_text N: N words of a small vocabulary, ten a line, each line with a full
# stop.
make_text() {
	awk -v n="$1" 'BEGIN {
		for (i = 1; i <= n; i++)
			printf "w%d%s", i * i % 97, i % 10 ? " " : ".\n"
	}'
}

# wait_for COMMAND...: until it succeeds, 10 s at most.
wait_for() {
	tries=0
	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 1500 ] || {
			left_pids | xargs -r -n 1 ps -o pid,stat,args -p
			ls -AR "$dir"
			fail "waited in vain for: $*"
		}
		sleep 0.02
	done
}

left_pids() {
	grep -l -s -F -e "$mark" /proc/[0-9]*/environ | cut -d/ -f3
}

no_process() {
	[ -z "$(left_pids)" ]
}

no_file() {
	[ -z "$(ls -A "$dir/tmp")" ] && [ "$(shm_files)" = "$shm_before" ]
}

shm_files() {
	ls /dev/shm 2>/dev/null | grep -i -e sirocco -e shmem
}
shm_before=$(shm_files)

nothing_left() {
	no_process && no_file
}

finish() {
	wait_for nothing_left
	exit 0
}
