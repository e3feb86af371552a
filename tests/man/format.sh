#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No page, generated or not, draws a warning of groff, of mandoc or of the
# program that reads NAME for whatis; those that are here are asked.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
have() {
	command -v "$1" >/dev/null
}
find "$BUILDDIR/man/man3" -type f >"$work/pages"
ls "$SRCDIR"/man/*.[1-8] >>"$work/pages"
[ "$(wc -l <"$work/pages")" -gt 90 ] || {
	echo "only $(wc -l <"$work/pages") pages"
	exit 1
}
asked=

if have groff; then
	asked="$asked groff"
	xargs groff -man -ww -Tutf8 -z <"$work/pages" >>"$work/complaints" 2>&1
fi
if have mandoc; then
	asked="$asked mandoc"
	xargs mandoc -Tlint -W warning <"$work/pages" >>"$work/complaints"
fi
if have lexgrog; then
	asked="$asked lexgrog"
	xargs lexgrog <"$work/pages" 2>&1 | grep -v ': ".* - .*"$' \
		>>"$work/complaints"
fi
if [ -z "$asked" ]; then
	echo "neither groff, mandoc nor lexgrog is installed"
	exit 77
fi
echo "$(wc -l <"$work/pages") pages, asked:$asked"
[ ! -s "$work/complaints" ] || {
	cat "$work/complaints"
	exit 1
}
