#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs are looked for as execvp would, before anything starts.
. "${SRCDIR:-.}/tests/lib.sh"
run 127 -n 2 no-such-program-here
one_line '^oshrun: no-such-program-here: program not found in PATH$'
run 127 -n 2 "$dir/missing"
one_line ': program not found: No such file or directory$'
run 127 -n 2 ""
run 126 -n 2 "$dir"
one_line ': not executable: Is a directory$'
cp /bin/true "$dir/plain"
chmod 644 "$dir/plain"
run 126 -n 2 "$dir/plain"
one_line ': not executable: Permission denied$'
mkdir "$dir/p1" "$dir/p2"
cp "$dir/plain" "$dir/p1/prog"
PATH=$dir/p1:$PATH run 126 -n 2 prog
cp /bin/true "$dir/p2/prog"
PATH=$dir/p1:$dir/p2:$PATH run 0 -n 2 prog
# Executable by mode, but not in fact: known only to exec.
printf '\177ELF garbage' >"$dir/p2/bad"
printf '#!/no/such/interpreter\n' >"$dir/p2/lost"
printf 'exit 5\n' >"$dir/p2/script"
chmod 755 "$dir/p2/bad" "$dir/p2/lost" "$dir/p2/script"
run 127 -n 2 "$dir/p2/lost"
one_line '^oshrun: cannot start PE 0: .*: No such file or directory$'
run 5 -n 1 "$dir/p2/script"
finish
