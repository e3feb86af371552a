#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --host and --hostfile: this host alone runs here, others are handed over.
. "${SRCDIR:-.}/tests/lib.sh"
run 0 --host "localhost:2,$(hostname)" echo x
lines out 3 '^x$'
run 0 -n 1 --host "$(hostname | cut -d. -f1):4" echo x
lines out 1 '^x$'
printf '# comment\n\nlocalhost slots=2 # more\n127.0.0.1:1\n' >"$dir/hosts"
run 0 --hostfile "$dir/hosts" echo x
lines out 3 '^x$'
for h in "" ":2" "a:" "a:0" "a:x" "a,"; do
	run 64 --host "$h" true
	one_line 'expected HOST or HOST:N'
done
run 64 --hostfile "$dir/missing" true
one_line 'No such file'
: >"$dir/empty"
run 64 --hostfile "$dir/empty" true
one_line 'no host in it'
# Launchers that show what they were given.
mkdir "$dir/bin"
for l in prterun mpirun srun; do
	printf '#!/bin/sh\necho "$(basename "$0") $*"\n' >"$dir/bin/$l"
done
chmod +x "$dir/bin/prterun" "$dir/bin/mpirun" "$dir/bin/srun"
base=$PATH
PATH=$dir/bin:$base
set -- -n 3 --host a:2,b:2 --bind socket --map-by numa --tag-output \
	--timeout 1.5 --wdir /d -x V=1 --report-bindings prog -n arg
run 0 "$@"
lines out 1 '^prterun --map-by numa --bind-to package --timeout 2 --output tag --display bind --host a:2,b:2 -np 3 --wdir /d -x V=1 prog -n arg$'
rm "$dir/bin/prterun"
if ! command -v prterun >/dev/null; then
	run 0 "$@"
	lines out 1 '^mpirun --map-by numa --bind-to socket --timeout 2 --tag-output --report-bindings --host a:2,b:2 -np 3 --wdir /d -x V=1 prog -n arg$'
	run 0 --host a,b p : -n 2 q
	lines out 1 '^mpirun .* -np 2 p : --host a:1,b:1 -np 2 q$'
fi
rm "$dir/bin/mpirun"
for t in timeout basename env; do
	ln -s "$(command -v $t)" "$dir/bin/$t"
done
ln -s "$(command -v sh)" "$dir/bin/sh"
PATH=$dir/bin
"$OSHRUN" "$@" >"$dir/out" 2>"$dir/err"
rc=$?
"$OSHRUN" --host a,b p : q >"$dir/out2" 2>"$dir/err2"
rc2=$?
/bin/rm "$dir/bin/srun"
"$OSHRUN" --host a,b p >"$dir/out3" 2>"$dir/err3"
rc3=$?
PATH=$base
[ $rc = 0 ] || fail "srun: exit code $rc"
lines out 1 '^srun --mpi=pmix --ntasks=3 --nodelist=a,b --ntasks-per-node=2 --distribution=block:cyclic --cpu-bind=verbose,sockets --kill-on-bad-exit=1 --label --chdir=/d prog -n arg$'
[ $rc2 = 64 ] || fail "srun with two programs: exit code $rc2"
[ $rc3 = 127 ] || fail "no launcher: exit code $rc3"
finish
