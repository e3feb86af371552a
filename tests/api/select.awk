# SPDX-License-Identifier: BSD-3-Clause
# Makes of the output of dump_api one line for each typed routine with a
# generic name:
#
#	SELECT(ret, verb, ctx, N, T, (params), (args), (zeros))
#
# ctx is ctx_ or empty, T the type of N; args calls it with its parameters, zeros
# with nothing but MOCK_CTX for the context. shmem_wait is SELECT_CXX: C has a
# function of that name.
BEGIN { FS = "\t" }

{ name[NR] = $1; ret[NR] = $2; params[NR] = $3 }

# The typenames are those of the class that holds them all.
$1 ~ /^shmem_[a-z0-9]+_sum_reduce$/ { split($1, word, "_"); known[word[2]] = 1 }

function emit(i, ctx, N, verb,    text, list, n, k, args, zeros, T) {
	text = substr(params[i], 2, length(params[i]) - 2)
	n = split(text, list, ",")
	for (k = 1; k <= n; k++) {
		if (T == "" && list[k] ~ /\*/ && list[k] !~ /\*sig_addr/) {
			T = list[k]
			sub(/ *\*.*/, "", T)
			sub(/^ */, "", T)
			sub(/^const /, "", T)
		}
		sub(/^.*[ *]/, "", list[k])
		args = args (k > 1 ? ", " : "") list[k]
		zeros = zeros (k > 1 ? ", " : "") (list[k] == "ctx" ? "MOCK_CTX" : "0")
	}
	printf "%s(%s, %s, %s, %s, %s, %s, (%s), (%s))\n",
		verb == "wait" ? "SELECT_CXX" : "SELECT",
		ret[i], verb, ctx, N, T, params[i], args, zeros
}

END {
	for (i = 1; i <= NR; i++) {
		rest = name[i]
		sub(/^shmem_/, "", rest)
		ctx = sub(/^ctx_/, "", rest) ? "ctx_" : ""
		N = rest
		sub(/_.*/, "", N)
		if (!(N in known) || rest ~ /_to_all$/)
			continue
		emit(i, ctx, N, substr(rest, length(N) + 2))
	}
}
