#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# File systems that cannot be written or executed from.
. "${SRCDIR:-.}/tests/lib.sh"
unshare -rm true 2>/dev/null || unshare -m true 2>/dev/null ||
	skip "no mount namespace to be had"
user=-m
unshare -m true 2>/dev/null || user=-rm
try() {
	timeout -k 5 30 unshare $user sh -c "$1" "$OSHRUN" \
		>"$dir/out" 2>"$dir/err" </dev/null
}
mounts="mount --make-rprivate / && mount -t tmpfs"
try "$mounts -o noexec none '$dir/tmp' && '$OSHRUN' -n 2 '$CLIENT' fence" ||
	fail "noexec: exit code $?"
try "$mounts -o ro none '$dir/tmp' && '$OSHRUN' -v -n 2 '$CLIENT' fence" ||
	fail "read-only: exit code $?"
lines err 1 'session directory /(tmp|dev/shm)/'
# The program itself may lie under /tmp: keep it open.
try "cd / && $mounts -o ro none /dev/shm && mount -t tmpfs -o ro none '$dir/tmp' &&
	export TMPDIR='$dir/tmp' && exec 9<'$OSHRUN' &&
	mount -t tmpfs -o ro none /tmp && /proc/self/fd/9 -n 2 true"
rc=$?
[ $rc = 71 ] || fail "nothing to write to: exit code $rc"
one_line '^oshrun: no place for the session directory; tried .*/tmp \(.*\), /tmp \(Read-only file system\), /dev/shm \(Read-only file system\)$'
finish
