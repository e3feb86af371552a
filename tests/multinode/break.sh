# SPDX-License-Identifier: BSD-3-Clause
# Jobs in which something breaks.
#
# start LAYOUT COMMAND... runs a job in the background, `running LAYOUT WHAT`
# also waits until all PEs do WHAT of tests/multinode/busy. ends WHAT [PATTERN]:
# within SHMEM_TIMEOUT and a margin the job has ended, with a status that is not
# 0, no process runs on any host, and a line on stderr matches: by default one
# that names a PE and its host.
. "$SRCDIR/tests/multinode/suite.sh"
busy=$top/tests/multinode/busy
SHMEM_TIMEOUT=6
margin=12
export SHMEM_TIMEOUT
# Daemons notice, too, that they have lost each other.
OMPI_MCA_oob_tcp_keepalive_time=2
OMPI_MCA_oob_tcp_keepalive_intvl=1
OMPI_MCA_oob_tcp_keepalive_probes=3
export OMPI_MCA_oob_tcp_keepalive_time OMPI_MCA_oob_tcp_keepalive_intvl \
	OMPI_MCA_oob_tcp_keepalive_probes

start() {
	HOSTS=$1
	export HOSTS
	shift
	n=$(slots "$HOSTS")
	tried=$((tried + 1))
	# No output of the job before may count.
	: >"$dir/out"
	: >"$dir/err"
	oshrun_bg -n "$n" "$@" >>"$dir/out" 2>>"$dir/err" </dev/null &
	job=$!
}

running() {
	layout=$1
	shift
	start "$layout" "$busy" "$@"
	wait_for all_run
	kill -0 $job 2>/dev/null || broken "busy $*: has not started"
}

all_run() {
	[ "$(grep -c ' runs$' "$dir/out")" = "$n" ] || ! kill -0 $job
}

# pid_of PE: by what it said.
pid_of() {
	sed -n "s/^PE $1 pid \([0-9]*\) runs\$/\1/p" "$dir/out"
}

no_file() {
	rm -rf "$dir"/tmp/ompi.*
	[ -z "$(ls -A "$dir/tmp")" ] && [ "$(shm_files)" = "$shm_before" ]
}

broken() {
	failures=$((failures + 1))
	echo "FAILED: $*"
	sed 's/^/  /' "$dir/out" "$dir/err" | tail -n 12
	left_pids | xargs -r ps -o pid,stat,args -p
	left_pids | xargs -r kill -9
	wait $job
}

all_gone() {
	! kill -0 $job 2>/dev/null && no_process && hosts_idle
}

ends() {
	what=$1
	pattern=${2:-"^sirocco: .*PE [0-9]+ on [abcd]\\b"}
	begin=$(date +%s)
	until all_gone; do
		[ $(($(date +%s) - begin)) -le $((SHMEM_TIMEOUT + margin)) ] || {
			broken "$what: there after $SHMEM_TIMEOUT + $margin s"
			return
		}
		sleep 0.1
	done
	wait $job
	status=$?
	if [ $status = 0 ]; then
		broken "$what: exit status 0"
	elif ! grep -q -E "$pattern" "$dir/err"; then
		broken "$what: no line matches $pattern"
	else
		echo "ok: $what, $(($(date +%s) - begin)) s: $(grep -E \
			"$pattern" "$dir/err" | head -n 1)"
	fi
}
