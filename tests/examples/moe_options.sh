#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
. "${SRCDIR:-.}/tests/lib.sh"
moe=$examples/moe_exchange
make_text 100 >"$dir/text"

run 0 -n 2 "$moe" --help
lines out 1 '^Usage: moe_exchange \[OPTION...\] \[FILE\]'
lines err 0 .
run 0 -n 2 "$moe" --usage
lines out 1 '^Usage: moe_exchange '

run 0 -n 2 "$moe" --no-check "$dir/text"
last '^checksum +[0-9a-f]{16}$'
lines out 0 'check(ed:| +[0-9])'
sum=$(sed -n 's/^checksum *//p' "$dir/out")
run 0 -n 3 "$moe" --json "$dir/text"
lines out 1 "\"checksum\": \"$sum\""
lines out 1 '"pes": 3,'
lines out 1 '"max_difference": 0.0'
run 0 -n 2 "$moe" --seed=2 "$dir/text"
lines out 0 "$sum"

# JSON is UTF-8, names of files need not be.
latin=$dir/$(printf 'caf\351')
cp "$dir/text" "$latin"
run 1 -n 2 "$moe" --json "$latin"
lines err 1 'as JSON, which must be UTF-8'
run 0 -n 2 "$moe" "$latin"

# Bytes of a dispatch and its return: with one expert, PE 1 sends its rows to
# PE 0 and gets them back.
run 0 -n 2 "$moe" --json -e 1 -k 1 -d 16 "$dir/text"
lines out 1 '"tokens": 110,'
lines out 1 "\"bytes_sent_all_pes\": $((2 * 55 * 16 * 4)).0,"
lines out 1 "\"bytes_sent_busiest_pe\": $((55 * 16 * 4)).0,"
run 0 -n 1 "$moe" --json "$dir/text"
lines out 1 '"bytes_sent_all_pes": 0.0,'
command -v python3 >/dev/null || exit 0
python3 - "$dir/out" <<'END' || fail 'the JSON is not as it should be'
import json, sys
r = json.load(open(sys.argv[1]))
assert sum(r["rows_per_expert"]) == r["tokens"] * r["top_k"]
phases = "gate counts dispatch experts combine".split()
assert abs(sum(r["ms"][p] for p in phases) - r["ms"]["step"]) < 1e-6
END
