#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the generics and overloads must not take: each statement below gets an
# error of its own, and those marked with `good` get none. And the generics of
# generic.h are those of the tables, no more and no less.
set -u
failed=0
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

cat >"$dir/statements" <<EOF
good shmem_put(l, cl, 1, 0)
good shmem_put(ctx, l, l, 1, 0)
good shmem_atomic_add(l, 1, 0)
good shmem_wait_until(s, 0, 0)
shmem_put(v, v, 1, 0)
shmem_put(o, o, 1, 0)
shmem_put(ll, ll, 1, 0)
shmem_put(cl, l, 1, 0)
shmem_put(l, i, 1, 0)
shmem_put(ctx, l, i, 1, 0)
shmem_put(l, l, 1)
shmem_p(cl, 1, 0)
shmem_g(o, 0)
shmem_atomic_add(f, 1, 0)
shmem_atomic_add(s, 1, 0)
shmem_atomic_add(cl, 1, 0)
shmem_atomic_inc(d, 0)
shmem_atomic_compare_swap(f, 1, 2, 0)
shmem_atomic_and(d, 1, 0)
shmem_atomic_swap(s, 1, 0)
shmem_fadd(f, 1, 0)
shmem_wait_until(f, 0, 0)
shmem_wait_until_all(s, 1, 0, 0, 0)
shmem_and_reduce(team, f, f, 1)
shmem_sum_reduce(l, l, 1)
shmem_sum_reduce(team, v, v, 1)
shmem_broadcast(team, l, f, 1, 0)
shmem_put_signal(l, l, 1, i, 1, 0, 0)
EOF

# One statement a line, from the first line on.
{
	sed 's/^good //; s/$/;/' "$dir/statements" >"$dir/body"
	cat <<-EOF
	#include <shmem.h>
	long *l; const long *cl; int *i; float *f; double *d; void *v;
	short *s; struct other *o; long **ll;
	shmem_team_t team; shmem_ctx_t ctx;
	void call(void);
	void call(void) {
	#include "$dir/body"
	}
	EOF
} >"$dir/program"

# judge COMPILER OPTION...: a message names the line of each bad statement.
judge() {
	limit=-ferror-limit=0
	"$@" $limit -E /dev/null >/dev/null 2>&1 || limit=
	"$@" $limit -Werror -Wno-error=unused-value -I"$SRCDIR/include" \
		-fsyntax-only "$dir/program" >"$dir/log" 2>&1
	number=0
	while read -r statement; do
		number=$((number + 1))
		verdict=refuses
		grep -q "body:$number:" "$dir/log" || verdict=accepts
		case $verdict,$statement in
		accepts,good\ * | refuses,shmem*) continue ;;
		esac
		echo "$1 $verdict: $statement"
		failed=1
	done <"$dir/statements"
}
judge $CC -std=gnu11 -x c
judge $CXX -std=c++17 -x c++

echo '#include <shmem.h>' |
	$CC -std=gnu11 -I"$SRCDIR/include" -dM -E -x c - |
	sed -n 's/^#define shmem_\([a-z0-9_]*\)(.*/\1/p' | sort >"$dir/generics"
extra=$("$BUILDDIR/src/tools/dump_api" | awk -f "$SRCDIR/tests/api/select.awk" |
	sed -n 's/^SELECT([^,]*, \([a-z_]*\),.*/\1/p
		$a signal_add\
signal_set\
sync' | sort -u | comm -3 - "$dir/generics")
[ -z "$extra" ] || {
	echo "generics and tables differ:" $extra
	failed=1
}
exit $failed
