#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --wdir: PEs start there, and relative programs are found there.
. "${SRCDIR:-.}/tests/lib.sh"
mkdir "$dir/w"
printf '#!/bin/sh\npwd\n' >"$dir/w/prog"
chmod +x "$dir/w/prog"
run 0 -n 2 --wdir "$dir/w" ./prog
lines out 2 "/w\$"
run 0 -n 2 --wdir "$dir/w" pwd
lines out 2 "/w\$"
finish
