# SPDX-License-Identifier: BSD-3-Clause
# check.awk -v gen=GENERATION [-v stack=FUNCTIONS] [-v calls=KERNELS]
#	[-v generic=1] RULES KERNELS:
# KERNELS is of kernels.awk. Says what breaks a rule; ends with 1 if anything
# does. stack matches what calls functions that call others: only these may have
# memory, for return addresses; calls matches kernels that keep scalars over a
# call that is rarely made. generic lets the user's own memory be of any
# kind. No scope has barriers but its own, by the kernel's name.
FNR == 1 { file++ }
file == 1 {
	if ($1 == gen) {
		kernel = $2
		sub(/^[^ ]+ +[^ ]+ +/, "")
		rule[++nrules] = $0
		of[nrules] = kernel
	}
	next
}
{
	kernel = $1
	text = $0
	sub(/^[^ ]+ /, "", text)
	seen[kernel] = 1
	if (text !~ /^;/)
		code[kernel, ++length_of[kernel]] = text
	if (text ~ /^;[sv]gpr_spill/ && $3 > 0 && !over_calls(kernel, text))
		bad(kernel, "registers spill: " text)
	if (!stack || kernel !~ ("^(" stack ")$"))
		memory(kernel, text)
	if (text ~ /^flat_/ && !generic)
		bad(kernel, "not global memory: " text)
	if (text ~ /^s_barrier/ && kernel ~ /^(thread|wave)_/)
		bad(kernel, "a barrier of the work-group")
	if (text ~ /^;wave_barrier/ && kernel ~ /^(thread|wg)_/)
		bad(kernel, "a barrier of the wave")
}
END {
	for (i = 1; i <= nrules; i++)
		follow(of[i], rule[i])
	if (!nrules)
		bad(gen, "no rules")
	exit failed
}

# Scalars that lie in lanes of a vector register while a call is made; and that
# register, in what may have memory.
function over_calls(kernel, text) {
	if (text ~ /^;vgpr/ && (text !~ / 1$/ || !stack ||
				kernel !~ ("^(" stack ")$")))
		return 0
	return calls && kernel ~ ("^(" calls ")$")
}

# Scratch memory has instructions of its own, or a buffer's.
function memory(kernel, text) {
	if (text ~ /^;ScratchSize/ && $3 > 0)
		bad(kernel, "keeps registers in memory: " text)
	if (text ~ /^scratch_/ || text ~ /^buffer_(load|store)_dword.* s\[/)
		bad(kernel, "a spill: " text)
}

function bad(kernel, what) {
	print "  " gen " " kernel ": " what
	failed = 1
}

# The steps of a rule, in their order; !STEP is nowhere, @STEP in a loop.
function follow(kernel, text,    steps, n, i, at) {
	if (!seen[kernel])
		return bad(kernel, "is not there")
	n = split(text, steps, / +; +/)
	at = 0
	for (i = 1; i <= n; i++) {
		if (steps[i] ~ /^!/) {
			if (find(kernel, substr(steps[i], 2), 0))
				bad(kernel, "has `" substr(steps[i], 2) "'")
		} else if (steps[i] ~ /^@/) {
			if (!loops(kernel, substr(steps[i], 2)))
				bad(kernel, "no loop with `" \
				    substr(steps[i], 2) "'")
		} else if (!(at = find(kernel, steps[i], at))) {
			return bad(kernel, "no `" steps[i] "' as step " i)
		}
	}
}

# Where the next instruction after `at' is that matches, 0 if there is none.
function find(kernel, step, at) {
	while (++at <= length_of[kernel])
		if (code[kernel, at] ~ ("^" step))
			return at
	return 0
}

# Whether what matches stands between a label and a branch back to it.
function loops(kernel, step,    at, from, to, words) {
	for (at = 0; (at = find(kernel, step, at)); )
		for (to = at; to <= length_of[kernel]; to++) {
			if (code[kernel, to] !~ /^s_c?branch/)
				continue
			split(code[kernel, to], words, " ")
			for (from = at; from; from--)
				if (code[kernel, from] == words[2] ":")
					return 1
		}
	return 0
}
