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
# Launchers that show what they were given, and those alone.
mkdir "$dir/bin"
for l in prterun mpirun srun; do
	printf '#!/bin/sh\necho "$(basename "$0") $*"\n' >"$dir/bin/$l"
done
chmod +x "$dir/bin/prterun" "$dir/bin/mpirun" "$dir/bin/srun"
for t in sh basename timeout env sleep cat; do
	ln -s "$(command -v $t)" "$dir/bin/$t"
done
base=$PATH

# given CODE ARGS...: run, where nothing but these is installed.
given() {
	want=$1
	shift
	PATH=$dir/bin
	"$OSHRUN" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	got=$?
	PATH=$base
	[ $got = "$want" ] || fail "oshrun $*: exit code $got, not $want"
}

set -- -n 3 --host a:2,b:2 --bind socket --map-by numa --tag-output \
	--wdir /d -x V=1 -x NO_SUCH --report-bindings prog -n arg
unset SHMEM_PLATFORM
SHMEM_DEBUG=init UCX_TLS=tcp given 0 "$@"
lines err 1 '^oshrun: -x NO_SUCH: no such variable is set here$'
lines out 1 '^prterun --map-by numa --bind-to package --output tag --display bind --host a:2,b:2 -np 3 --wdir /d -x (SHMEM_DEBUG -x UCX_TLS|UCX_TLS -x SHMEM_DEBUG) -x V=1 prog -n arg$'
SHMEM_DEBUG=init given 0 --host a,b -x SHMEM_DEBUG=rma prog
lines out 1 '^prterun --map-by slot --bind-to none --host a:1,b:1 -np 2 -x SHMEM_DEBUG=rma prog$'
given 0 --launcher mpirun "$@"
lines out 1 '^mpirun --map-by numa --bind-to socket --tag-output --report-bindings --host a:2,b:2 -np 3 --wdir /d -x V=1 prog -n arg$'
given 0 --launcher "$dir/bin/srun" --host a,b prog
lines out 1 '^srun --mpi=pmix --ntasks=2 --nodelist=a,b --ntasks-per-node=1 --kill-on-bad-exit=1 prog$'
given 127 --launcher env --host a,b prog
one_line '^oshrun: --launcher env: expected prterun, mpirun or srun, or a path to one$'
given 127 --launcher none/mpirun --host a,b prog
one_line '^oshrun: --launcher none/mpirun: No such file'
rm "$dir/bin/prterun"
given 0 --host a,b -n 1 p : -n 1 q
lines out 1 '^mpirun .* -np 1 p : --host a:1,b:1 -np 1 q$'
given 64 --host a,b p : -n 2 q
one_line '^oshrun: p: with several programs each needs -n N$'
rm "$dir/bin/mpirun"
given 0 "$@"
lines out 1 '^srun --mpi=pmix --ntasks=3 --nodelist=a,a,b --distribution=arbitrary --cpu-bind=verbose,sockets --kill-on-bad-exit=1 --label --chdir=/d prog -n arg$'
given 0 -n 4 --host a:2,b:2 --map-by socket prog
lines out 1 '^srun --mpi=pmix --ntasks=4 --nodelist=a,b --ntasks-per-node=2 --distribution=block:cyclic --kill-on-bad-exit=1 prog$'
given 0 --host a:1,b:3 prog
lines out 1 '^srun --mpi=pmix --ntasks=4 --nodelist=a,b,b,b --distribution=arbitrary '
printf '#!/bin/sh\nfor f; do :; done\ncat "$f"\n' >"$dir/bin/srun"
given 0 --host a,b -n 1 p 'a b' '' : -n 1 q "%t'" x=1
lines out 1 "^0-0 p a\\\\ b ''\$"
lines out 1 "^1-1 q \\\\%t\\\\' x=1\$"
given 64 --host a,b -n 1 p '
' : -n 1 q
one_line '^oshrun: srun cannot pass an argument with a newline'
printf '#!/bin/sh\nexec sleep 50\n' >"$dir/bin/srun"
given 124 --timeout 0.3 --host a,b p
rm "$dir/bin/srun"
given 127 --host a,b p
one_line '^oshrun: other hosts need prterun, mpirun .* and none is in PATH$'
finish
