# SPDX-License-Identifier: BSD-3-Clause
# check.awk -v gen=GENERATION [-v scratch=BYTES] [-v generic=1] RULES KERNELS:
# KERNELS is of kernels.awk. Says what breaks a rule; ends with 1 if anything
# does. scratch is what a call's return address may take; generic lets the
# user's own memory be of any kind. Mangled names are functions out of line,
# which save registers of their callers.
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
	else if (text ~ /^;ScratchSize/ && $3 > scratch + 0)
		bad(kernel, "keeps registers in memory: " text)
	if ((kernel !~ /^_Z/ || kernel ~ /shmemd_copy/) && spills(text))
		bad(kernel, "a spill: " text)
	if (text ~ /^flat_/ && !generic)
		bad(kernel, "not global memory: " text)
	if (text ~ /^s_barrier/ && kernel ~ /^(thread|wave)_/)
		bad(kernel, "a barrier of the work-group")
}
END {
	for (i = 1; i <= nrules; i++)
		follow(of[i], rule[i])
	if (!nrules)
		bad(gen, "no rules")
	exit failed
}

# Scratch memory has instructions of its own, or a buffer's.
function spills(text) {
	return text ~ /^scratch_/ || text ~ /^buffer_(load|store)_dword.* s\[/
}

function bad(kernel, what) {
	print "  " gen " " kernel ": " what
	failed = 1
}

# The steps of a rule, in their order.
function follow(kernel, text,    steps, n, i, at) {
	if (!seen[kernel])
		return bad(kernel, "is not there")
	n = split(text, steps, / +; +/)
	at = 0
	for (i = 1; i <= n; i++) {
		while (++at <= length_of[kernel])
			if (code[kernel, at] ~ ("^" steps[i]))
				break
		if (at > length_of[kernel])
			return bad(kernel, "no `" steps[i] "' as step " i)
	}
}
