#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What moe_layer prints, refuses and takes by default.
. "${SRCDIR:-.}/tests/lib.sh"
layer=$examples/moe_layer
make_text 100 >"$dir/text"

# wrong CODE PATTERN ARGS...
wrong() {
	code=$1 pattern=$2
	shift 2
	run "$code" -n 2 "$layer" "$@"
	lines err 1 "$pattern"
	lines out 0 .
}

wrong 64 "unrecognized option '--bogus'" --bogus
wrong 64 "expected one file, got '/tmp'" "$dir/text" /tmp
wrong 64 "experts: expected a number from 1 to 4096, got '0'" --experts=0
wrong 64 "top-k: expected a number from 1 to 16, got '17'" --top-k=17
wrong 64 "hidden: expected a multiple of 8 up to 16384, got '9'" --hidden=9
wrong 64 "ffn: expected a multiple of 8 up to 65536, got ''" --ffn=
wrong 64 "tokens: expected a number from 1 to 65536, got '-1'" --tokens=-1
wrong 64 "steps: expected a number from 1 to 100000, got '2x'" --steps=2x
wrong 64 "seed: expected a number from 0, got '-1'" --seed=-1
wrong 64 "dtype: not known: 'fp64'" --dtype=fp64
wrong 64 "layout: not known: ''" --layout=
wrong 64 'top-k is more than --experts' --experts=2 --top-k=3
wrong 64 'experts is no multiple of the number of PEs' --experts=3
wrong 64 'a --hidden that is a multiple of 128' --fp8 --hidden=64
wrong 64 'baseline is without --fp8' --baseline --fp8
wrong 64 'baseline is without --fp8' --baseline --overlap
wrong 64 'baseline is without --fp8' --baseline --layout=slots
wrong 64 'overlap takes two --tokens' --overlap --tokens=1
wrong 1 'cannot read /no/file: No such file .*name a text file' /no/file
wrong 1 'cannot read /: Is a directory' /
wrong 1 '/dev/null holds no words' /dev/null
printf ' \n\t\n' >"$dir/blank"
wrong 1 'blank holds no words' "$dir/blank"

SHMEM_SYMMETRIC_SIZE=1M
export SHMEM_SYMMETRIC_SIZE
run 1 -n 2 "$layer" "$dir/text"
grep -q 'set SHMEM_SYMMETRIC_SIZE' "$dir/err" || fail 'no advice'
unset SHMEM_SYMMETRIC_SIZE

run 0 -n 2 "$layer" --help
lines out 1 '^Usage: moe_layer \[OPTION...\] \[FILE\]'
run 0 -n 2 "$layer" --usage
lines out 1 '^Usage: moe_layer '
run 0 -n 2 "$layer" --no-check --steps=2 "$dir/text"
lines out 0 'checked|against'

# Twice the same, to the bit.
for i in 1 2; do
	run 0 -n 2 "$layer" --steps=3 "$dir/text"
	grep -E '^step [0-9]|^losses|^gradient|^output' "$dir/out" >"$dir/$i"
done
cmp "$dir/1" "$dir/2" || fail 'two runs differ'

run 0 -n 2 "$layer" --json --steps=3 --seed=5 "$dir/text"
command -v python3 >/dev/null || finish
python3 - "$dir/out" <<'END' || fail 'the JSON is not as it should be'
import json, sys
r = json.load(open(sys.argv[1]))
a = r["arguments"]
assert r["pes"] == 2 and a["seed"] == 5 and len(r["loss"]) == 3
assert r["check"]["done"] and r["check"]["right"]
for layer in r["layers"]:
    rows = layer["rows_per_expert"]
    assert sum(rows) == 2 * a["tokens_per_pe"] * a["top_k"] * a["steps"]
    assert abs(layer["imbalance_experts"]
               - max(rows) * len(rows) / sum(rows)) < 1e-9
assert 0 < r["exchange_share"] < 1 and r["tokens_per_s"] > 0
END
finish
