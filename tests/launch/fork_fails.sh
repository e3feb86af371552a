#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A limit on processes: refused beforehand, or a failed fork ends all.
. "${SRCDIR:-.}/tests/lib.sh"
command -v prlimit >/dev/null || skip "prlimit(1) is not installed"
as=
user=$(id -u)
if [ "$user" = 0 ]; then
	user=65533
	as="setpriv --reuid=$user --regid=$user --clear-groups"
	$as true 2>/dev/null || skip "cannot become another user"
	$as test -x "$OSHRUN" || skip "$OSHRUN is private to root"
	chmod 755 "$dir"
	chmod 1777 "$dir/tmp"
fi
tasks=$(ps -L -U "$user" --no-headers 2>/dev/null | wc -l)
# limited TASKS BUSY PES: as a user who may have TASKS, and has BUSY already.
limited() {
	timeout -k 5 60 env "$mark" $as prlimit --nproc="$1" -- sh -c 'busy=
		i=0; while [ $i -lt $0 ]; do i=$((i + 1)); sleep 30 &
		busy="$busy $!"; done
		"$@"; rc=$?; [ $i = 0 ] || kill $busy; exit $rc' \
		"$2" "$OSHRUN" -n "$3" sleep 50 \
		>"$dir/out" 2>"$dir/err" </dev/null
	got=$?
}
limited $((tasks + 60)) 0 $((tasks + 61))
[ $got = 71 ] || fail "exit code $got, not 71"
one_line "RLIMIT_NPROC allows $((tasks + 60)), needed are"
n=$(((tasks + 60) / 2))
limited $((tasks + 60)) 40 $n
[ $got = 71 ] || fail "exit code $got, not 71"
lines err 1 '^oshrun: cannot start PE [0-9]+: fork: Resource temporarily'
finish
