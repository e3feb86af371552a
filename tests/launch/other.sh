# SPDX-License-Identifier: BSD-3-Clause
# What a job that oshrun hands over to another launcher must do, on two hosts
# that are this one. Scripts source this instead of lib.sh, set
#
# first second       names of the hosts
# host_var           the variable that tells a PE its host's name
# launcher           for --launcher
# exit_9, exit_kill  the exit status when a PE's is 9, when one is killed
# killed_says        what the launcher prints of a PE that is killed
# lost_says          what somebody prints when a daemon is killed
# daemon_of PID      a function: prints the daemon that started this PE
#
# and call other_launcher.
. "${SRCDIR:-.}/tests/lib.sh"
limit=60
boot_modes='exchange reopen staggered'
BOOT=$top/tests/boot/pmix_client

# rsh_agent: makes $dir/rsh, a remote shell to this host by any name. As
# with ssh, nothing of the environment passes, and each host has its /tmp.
rsh_agent() {
	cat >"$dir/rsh" <<-END
		#!/bin/sh
		host=\$1
		shift
		mkdir -p "$dir/on-\$host"
		exec env -i PATH="\$PATH" HOME="\$HOME" TMPDIR="$dir/on-\$host" \
			SIROCCO_TEST_HOST=\$host $mark sh -c "\$*"
	END
	chmod +x "$dir/rsh"
}

# run_on CODE N M ARGS...: run, with N PEs at most on the first host and M on
# the second.
run_on() {
	want=$1
	slots=$first:$2,$second:$3
	shift 3
	run "$want" --launcher "$launcher" --host "$slots" "$@"
}

bg_on() {
	slots=$first:$1,$second:$2
	shift 2
	oshrun_bg --launcher "$launcher" --host "$slots" "$@"
}

# said PATTERN: a line on stderr matches.
said() {
	grep -q -E -e "$1" "$dir/err" || fail "stderr: no line matches \"$1\""
}

layout() {
	run_on 0 3 5 sh -c 'eval "echo at:\$PMIX_RANK:\$$0"' "$host_var"
	for pe in 0 1 2; do
		lines out 1 "^at:$pe:$first\$"
	done
	for pe in 3 4 5 6 7; do
		lines out 1 "^at:$pe:$second\$"
	done
	run_on 0 3 5 -n 4 sh -c 'eval "echo at:\$PMIX_RANK:\$$0"' "$host_var"
	lines out 4 '^at:'
	lines out 3 "^at:[012]:$first\$"
	lines out 1 "^at:3:$second\$"
}

settings() {
	export SHMEM_SYMMETRIC_SIZE=4M GIVEN=here
	run_on 0 1 1 --wdir / -x GIVEN -x NEW=a=b,c -x EMPTY= -x NO_SUCH pwd
	lines out 2 '^/$'
	lines err 1 '^oshrun: -x NO_SUCH: no such variable is set here'
	run_on 0 1 1 -x GIVEN -x NEW=a=b,c -x EMPTY= env
	for v in GIVEN=here NEW=a=b,c EMPTY= SHMEM_SYMMETRIC_SIZE=4M; do
		lines out 2 "^$v\$"
	done
	run_on 0 1 1 -x SHMEM_SYMMETRIC_SIZE=8M env
	lines out 2 '^SHMEM_SYMMETRIC_SIZE=8M$'
}

programs() {
	# shellcheck disable=SC2016
	run_on 0 3 5 -n 2 sh -c 'echo "one:$PMIX_RANK:$1"' sh 'a b' : \
		-n 6 sh -c 'echo "two:$PMIX_RANK:$1"' sh "it's %t \"\\"
	lines out 2 '^one:[01]:a b$'
	lines out 6 "^two:[2-7]:it's %t \"\\\\\$"
	run_on 64 3 5 sh : -n 1 sh
	lines err 1 'with several programs each needs -n N'
}

exits() {
	run_on "$exit_9" 3 5 sh -c '[ "$PMIX_RANK" = 5 ] && exit 9; exec sleep 50'
	run_on 124 1 1 --timeout 1.5 sleep 50
	run_fails --launcher "$launcher" --host "$first,$second" \
		no_such_program_anywhere
}

# The library's own use of the server's keys, fences and gets.
start_up() {
	for mode in $boot_modes; do
		run_on 0 3 5 "$BOOT" $mode 8
		run_on 0 1 1 "$BOOT" $mode 2
	done
	run_on 42 3 5 "$BOOT" abort 8
	said 'sirocco: aborts the job with status 42: the end'
	run_fails --launcher "$launcher" --host "$first:2,$second:2" \
		"$BOOT" missing 4
	said 'not all of 4 PEs came within 1 s \(of this node not PE 3\)'
}

# The host tests of the library, on this machine's PEs.
jobs() {
	run_on 0 3 5 "$bin/hello"
	run_on 0 2 2 "$bin/random_rma"
	SHMEM_TIMEOUT=20 run_on 0 1 2 "$bin/init_again"
}

killed_pe() {
	run_on "$exit_kill" 2 2 "$BOOT" die 4
	said "$killed_says"
}

# The process of PE $1 in a job of tests/host/hang.
pid_of() {
	for pid in $(left_pids); do
		case $(cat "/proc/$pid/comm") in
		*hang) grep -q -z -x "PMIX_RANK=$1" "/proc/$pid/environ" &&
			echo "$pid" ;;
		esac
	done
}

four_wait() {
	[ "$(grep -c waits "$dir/out")" = 4 ]
}

# What the job does when the victim, a function's output, is killed.
killed() {
	mkdir -p "$dir/killed"
	: >"$dir/out"
	TMPDIR=$dir/killed bg_on 2 2 "$bin/hang" >"$dir/out" 2>"$dir/err" \
		</dev/null &
	job=$!
	wait_for four_wait
	victim=$("$1")
	kill -9 "$victim" || fail "$1: no process $victim"
	wait_for no_process
	kill -9 "$job" 2>/dev/null
	wait "$job"
	echo "$1 killed: exit code $?"
	sed 's/^/  /' "$dir/err"
}

second_daemon() {
	daemon_of "$(pid_of 2)"
}

launcher_itself() {
	echo "$job"
}

other_launcher() {
	start=$(date +%s)
	for check in layout settings programs exits start_up jobs killed_pe; do
		$check
		echo "$check: passed after $(($(date +%s) - start)) s"
	done
	killed second_daemon
	said "$lost_says"
	killed launcher_itself
}
