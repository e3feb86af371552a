# SPDX-License-Identifier: BSD-3-Clause
# Many programs over hosts, a line each; for scripts that then call `sum`.
# TEST_MULTINODE=all runs every program with every layout, else a choice.
. "$SRCDIR/tests/multinode/net.sh"
failures=0
tried=0
limit=${TEST_TIMEOUT:-60}
all=
[ "${TEST_MULTINODE-}" != all ] || all=yes

# slots a:3,b:5: 8
slots() {
	echo "$1" | tr ',:' '\n\n' | awk '/^[0-9]+$/ { n += $1 } END { print n }'
}

source_of() {
	echo "$SRCDIR/tests/${1#"$top/tests/"}.c"
}

# fits PROGRAM LAYOUT: whether its source has so many in its `PES:` line.
fits() {
	wanted=$(sed -n 's/^.*PES: *\([0-9all ]*\).*/\1/p' "$(source_of "$1")" |
		head -n 1)
	case " $wanted " in
	*" all "* | *" $(slots "$2") "*) return 0 ;;
	esac
	return 1
}

# programs DIRECTORY EXCEPT...: those that start PEs.
programs() {
	directory=$1
	shift
	grep -l 'PES: *[0-9a]' "$SRCDIR/tests/$directory"/*.c |
		while read -r file; do
			name=$(basename "$file" .c)
			case " $* " in
			*" $name "*) ;;
			*) echo "$top/tests/$directory/$name" ;;
			esac
		done
}

# try LAYOUT PROGRAM [ARGUMENT...]
try() {
	HOSTS=$1
	shift
	export HOSTS
	tried=$((tried + 1))
	begin=$(date +%s)
	(
		for setting in $(sed -n 's/^.*ENV: *//p' "$(source_of "$1")"); do
			case $setting in
			*=*) export "$setting" ;;
			esac
		done
		job -n "$(slots "$HOSTS")" "$@"
	)
	status=$?
	seconds=$(($(date +%s) - begin))
	what="$(basename "$1") $HOSTS${note:+, $note}, $seconds s"
	unset HOSTS
	case $status in
	0) echo "ok: $what" ;;
	77) echo "skipped: $what" ;;
	*)
		failures=$((failures + 1))
		echo "FAILED ($status): $what"
		sed 's/^/  /' "$dir/out" "$dir/err" | tail -n 12
		left_pids | xargs -r kill -9
		;;
	esac
}

# try_best PROGRAM LAYOUT...: with the first that fits, or all that do.
try_best() {
	program=$1
	shift
	for layout; do
		fits "$program" "$layout" || continue
		try "$layout" "$program"
		[ "$all" ] || return
	done
}

sum() {
	wait_for nothing_left
	wait_for hosts_idle
	echo "$tried jobs, $failures failed"
	[ $failures = 0 ] || exit 1
	exit 0
}
