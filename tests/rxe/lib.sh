# SPDX-License-Identifier: BSD-3-Clause
# Jobs over the guests; for `jobs`, which ends with `finish`.
set -u
bin=$BUILDDIR/tests
log=/tmp/log
number=0
limit=60
set=
cut_at=b
PATH=$BUILDDIR/src/launch:$PATH

OMPI_MCA_plm_rsh_agent=$SRCDIR/tests/rxe/rsh
OMPI_MCA_oob_tcp_if_include=$lan
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
PRTE_MCA_plm_ssh_agent=$OMPI_MCA_plm_rsh_agent
PRTE_MCA_prte_if_include=$lan
PRTE_ALLOW_RUN_AS_ROOT=1
PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent OMPI_MCA_oob_tcp_if_include \
	OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
	PRTE_MCA_plm_ssh_agent PRTE_MCA_prte_if_include \
	PRTE_ALLOW_RUN_AS_ROOT PRTE_ALLOW_RUN_AS_ROOT_CONFIRM
SHMEM_PLATFORM=cpu
# All of it is pinned, in guests with little memory.
SHMEM_SYMMETRIC_SIZE=24m
export SHMEM_PLATFORM SHMEM_SYMMETRIC_SIZE

seconds() {
	cut -d . -f 1 /proc/uptime
}

slots() {
	echo "$1" | tr ',:' '\n\n' | awk '/^[0-9]+$/ { n += $1 } END { print n }'
}

# verdict STATUS WHAT: a line of TAP; after a failure, the end of its output.
verdict() {
	number=$((number + 1))
	what="$2${RXE_SECONDS:+, $(($(seconds) - begin)) s}"
	case $1 in
	0)
		echo "ok $number - $what"
		return
		;;
	77)
		echo "ok $number - $what # SKIP $(tail -n 1 $log | tr '#' ' ')"
		return
		;;
	124) echo "not ok $number - $what: no end within $limit s" ;;
	*) echo "not ok $number - $what: exit status $1" ;;
	esac
	tail -n 200 $log | sed 's/^/# /'
}

# The rest is not tried when time is over, and no plan is printed.
in_time() {
	begin=$(seconds)
	[ "$begin" -lt "$RXE_LIMIT" ] || exit 1
}

# settings PROGRAM: the ENV: lines of its source, and `set`; launchers pass on
# few of a job's variables to other hosts.
settings() {
	echo "$set"
	sed -n 's/^.*ENV: *//p' "$SRCDIR/tests/$1.c" | tr ' ' '\n' | grep '='
}

# start LAYOUT PROGRAM [ARGUMENT...]
start() {
	layout=$1
	program=$2
	shift 2
	# shellcheck disable=SC2046
	timeout -k 5 $limit oshrun --host "$layout" -n "$(slots "$layout")" \
		env $(settings "$program") "$bin/$program" "$@" >$log 2>&1 \
		</dev/null
}

# job LAYOUT PROGRAM [ARGUMENT...]
job() {
	in_time
	start "$@"
	verdict $? "$note, $2 on $1"
}

# until_said PATTERN: in the job's output.
until_said() {
	until grep -q -E "$1" $log; do
		kill -0 $started 2>/dev/null || return 1
		sleep 0.2
	done
}

# on HOST COMMAND...
on() {
	"$SRCDIR/tests/rxe/rsh" "$@"
}

# cut_off LAYOUT PROGRAM [ARGUMENT...]: starts a job, and cuts the network for
# RDMA once it says that it runs, at the host cut_at.
cut_off() {
	in_time
	: >$log
	SHMEM_TIMEOUT=6 start "$@" &
	started=$!
	until_said ' runs$'
	on $cut_at ip link set "$fab" down
	begin=$(seconds)
}

# mend: the network is there again. Emulated, some seconds take longer.
mend() {
	after=$(($(seconds) - begin))
	on $cut_at ip link set "$fab" up
	[ $after -le 25 ] || echo "$after s after the cut" >>$log
	[ $after -le 25 ]
}

# cut_ends LAYOUT PROGRAM...: the job ends by itself, and says which PE is lost.
cut_ends() {
	cut_off "$@"
	wait $started
	status=$?
	mend && [ $status != 0 ] && [ $status != 124 ] &&
		grep -q -E '^sirocco: .*PE [0-9]+ on [ab]' $log
	verdict $? "$note, $2 on $1, cut off at $cut_at"
}

# cut_says LAYOUT PROGRAM...: the job is told, and ends well.
cut_says() {
	cut_off "$@"
	until_said '^it says: '
	mend
	mended=$?
	wait $started
	status=$?
	[ $status != 0 ] || status=$mended
	verdict $status "$note, $2 on $1, cut off at $cut_at"
}

# has_gda: whether kernels can drive NICs.
has_gda() {
	grep -q 'define HAVE_VERBS 1' "$BUILDDIR/config.h"
}

ready() {
	echo "TAP version 13"
	until on b true; do
		[ "$(seconds)" -lt 120 ] || {
			echo "Bail out! the other guest is not there after 120 s"
			exit 1
		}
		sleep 0.2
	done
}

finish() {
	echo "1..$number"
	exit 0
}
