# SPDX-License-Identifier: BSD-3-Clause
# flow.awk -v gen=GENERATION [-v meets=FUNCTIONS] KERNELS: follows each path
# through the functions of kernels.awk. On none may a store, an atomic or a
# barrier come after a write-back of the caches without the wait for it. In
# those that meets matches, no barrier may come while stores are under way.
{
	name = $1
	text = $0
	sub(/^[^ ]+ /, "", text)
	if (text ~ /^;instructions/) {
		examine()
		n = 0
		split("", at)
	} else if (text ~ /^\.LBB/) {
		sub(/:/, "", text)
		at[text] = n + 1
	} else if (text !~ /^;/) {
		code[++n] = text
	}
}
END { exit failed }

# What may be the case before each instruction: stores, a write-back.
function examine(    i, again) {
	for (i = 1; i <= n + 1; i++)
		store[i] = back[i] = 0
	called = ""
	do {
		again = 0
		for (i = 1; i <= n; i++)
			again += step(i)
	} while (again)
	for (i = 1; i <= n; i++)
		judge(i)
}

function step(i,    text, s, b, words, changed) {
	text = code[i]
	s = store[i]
	b = back[i]
	if (text ~ /@rel32@lo/)
		called = text
	if (is_store(text) || (text ~ /^s_swappc/ && called ~ /_(copy|strided)_/))
		s = 1
	if (is_back(text))
		s = b = 1
	if (is_wait(text))
		s = b = 0
	if (text ~ /^s_c?branch/) {
		split(text, words, " ")
		changed = flows(at[words[2]], s, b)
	}
	if (text !~ /^(s_branch|s_endpgm|s_setpc)/)
		changed += flows(i + 1, s, b)
	return changed
}

function flows(to, s, b) {
	if (store[to] >= s && back[to] >= b)
		return 0
	if (s)
		store[to] = 1
	if (b)
		back[to] = 1
	return 1
}

function judge(i,    text) {
	text = code[i]
	if (back[i] && (is_store(text) || is_barrier(text)))
		bad("`" text "' does not wait for a write-back")
	if (store[i] && is_barrier(text) && meets && name ~ ("^(" meets ")$"))
		bad("`" text "' with stores under way")
}

function is_store(text) {
	return text ~ /^(global|flat|buffer)_(store|atomic)/
}

function is_back(text) {
	return text ~ /^(buffer_wbl2|global_wb)/
}

function is_barrier(text) {
	return text ~ /^s_barrier/ && text !~ /^s_barrier_wait/
}

function is_wait(text) {
	if (gen == "gfx11")
		return text ~ /^s_waitcnt_vscnt null, 0x0/
	if (gen == "gfx12")
		return text ~ /^s_wait_storecnt(_dscnt)? 0x0/
	return text ~ /^s_waitcnt vmcnt\(0\)/
}

function bad(what) {
	print "  " gen " " name ": " what
	failed = 1
}
