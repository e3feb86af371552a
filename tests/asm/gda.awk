# SPDX-License-Identifier: BSD-3-Clause
# gda.awk -v gen=GENERATION -v format=FORMAT KERNELS: kernels of gda.hip that
# were made for one format, with the functions that they call to post. On all
# ways through both
#   - entries are stored 16 bytes at once, past the caches, and a wait stands
#     between them and any smaller store: record, table, doorbell;
#   - a wait stands between the record and any store of 8 bytes: doorbell;
#   - what a put names was written back, and waited for, before its entry;
#   - nothing else is called meanwhile.
# On the shortest way of a post through these stores, there is one write-back
# for sources in memory and none for others, and, where stores have a counter of
# their own, one wait for each of these. Prints how long it is, with the call.
{
	name = $1
	text = $0
	sub(/^[^ ]+ /, "", text)
	if (text ~ /^;(ScratchSize|vgpr_spill)/ && $3 > 0)
		bad("a spill: " text)
	if (!(name in lines))
		names[++n_names] = name
	if (text !~ /^;/)
		line[name, ++lines[name]] = text
}
END {
	for (f = 1; f <= n_names; f++)
		if ((name = names[f]) ~ /^(thread|wave)_/)
			examine()
	if (!kernels)
		bad("no kernels")
	exit failed
}

# A function's code, as code[1] to code[n]; where it calls gda_post a copy of
# that comes in, at the end, from which returns lead back.
function lay(function_, copy,    i, text, called, calls, k) {
	for (i = 1; i <= lines[function_]; i++) {
		text = line[function_, i]
		if (text ~ /^\.LBB/) {
			sub(/:.*/, "", text)
			at[text copy] = n + 1
			continue
		}
		if (text ~ /@rel32@lo/) {
			called = text
			sub(/.*, /, "", called)
			sub(/@.*/, "", called)
		}
		if (text ~ /^s_swappc/ && called ~ /gda_post/) {
			calls++
			of[calls] = called
			text = "s_branch .Lcall" calls
			back[calls] = n + 2
		} else if (text ~ /^s_setpc/ && copy) {
			text = "s_branch .Lback" copy
		} else if (text ~ /^s_c?branch/) {
			text = text copy
		}
		code[++n] = text
		kind[n] = kind_of(text)
	}
	for (k = 1; k <= calls; k++) {
		at[".Lcall" k] = n + 1
		at[".Lback" k] = back[k]
		lay(of[k], k)
	}
}

# Stores: E: 16 bytes; R: 4; D: 8; Q: 8 of the queue itself, whose address is in
# scalars. T: a load of that kind; K: where a key of this PE is; A: addition; B:
# write-back, W: wait for stores, which is both on gfx11.
function kind_of(text) {
	if (text ~ /^(global|flat)_store_(dwordx4|b128)/)
		return "E"
	if (text ~ /^(global|flat)_store_(dword|b32) v\[[0-9:]+\], v[0-9]+/)
		return "R"
	if (text ~ /^(global|flat)_store_(dwordx2|b64) .*s\[/)
		return "Q"
	if (text ~ /^(global|flat)_store_(dwordx2|b64) /)
		return "D"
	if (text ~ /^global_load_(dwordx2|b64) v\[[0-9:]+\], v[0-9]+, s\[/)
		return "T"
	if (text ~ /^v_mad_(co_)?u64_u32/)
		return "K"
	if (text ~ /^global_atomic_add/)
		return "A"
	if (text ~ /^(buffer_wbl2|global_wb)/)
		return "B"
	if (gen == "gfx11" && text ~ /^s_waitcnt_vscnt null, 0x0/)
		return "W"
	if (gen == "gfx12" && text ~ /^s_wait_storecnt(_dscnt)? 0x0/)
		return "W"
	if (gen ~ /^gfx9/ && text ~ /^s_waitcnt vmcnt\(0\)/)
		return "W"
	return "-"
}

function examine() {
	kernels++
	n = 0
	split("", at)
	lay(name, "")
	flows_all()
	shortest()
}

# What may be the case before each instruction: entries or a record that were
# not waited for, no write-back since the begin, entries of the post that runs:
# before these, what looks like a record is a cell's.
function flows_all(    i, again) {
	for (i = 1; i <= n + 1; i++)
		entry[i] = record[i] = bare[i] = post[i] = 0
	bare[1] = 1
	do {
		again = 0
		for (i = 1; i <= n; i++)
			again += step(i)
	} while (again)
	for (i = 1; i <= n; i++)
		judge(i)
}

function step(i,    e, r, b, p, words, changed) {
	e = entry[i]
	r = record[i]
	b = bare[i]
	p = post[i]
	if (kind[i] == "E")
		e = p = 1
	if (kind[i] == "R" && p)
		r = 1
	if (kind[i] == "B" || (kind[i] == "W" && gen == "gfx11"))
		b = 0
	if (kind[i] == "W")
		e = r = 0
	if (code[i] ~ /^s_branch .Lback/)
		p = 0
	if (code[i] ~ /^s_c?branch/) {
		split(code[i], words, " ")
		changed = flows(at[words[2]], e, r, b, p)
	}
	if (code[i] !~ /^(s_branch|s_endpgm|s_setpc)/)
		changed += flows(i + 1, e, r, b, p)
	return changed
}

function flows(to, e, r, b, p) {
	if (entry[to] >= e && record[to] >= r && bare[to] >= b && post[to] >= p)
		return 0
	entry[to] = entry[to] || e
	record[to] = record[to] || r
	bare[to] = bare[to] || b
	post[to] = post[to] || p
	return 1
}

function bits_of() {
	if (gen == "gfx9a")
		return " glc slc$"
	if (gen == "gfx94")
		return " sc0 sc1 nt$"
	if (gen == "gfx11")
		return " glc slc dlc$"
	return " th:TH_STORE_NT scope:SCOPE_SYS$"
}

function judge(i) {
	if (kind[i] == "E" && code[i] !~ bits_of())
		bad("an entry in a cache: " code[i])
	if (kind[i] == "E" && bare[i] && name ~ /_puts?(_signal)?$/)
		bad("an entry whose source was not written back")
	if (kind[i] ~ /[RDQA]/ && entry[i])
		bad("entries under way at `" code[i] "'")
	if (kind[i] ~ /[DQ]/ && record[i])
		bad("a record under way at `" code[i] "'")
	if (code[i] ~ /^s_swappc/ && (entry[i] || record[i]))
		bad("a call with entries under way")
}

# What a post passes: of a put, a key of this PE; its addition, its entries, its
# turn; the record, or for each entry the packets' number and the table; the
# doorbell, what was rung, what was posted.
function stops_of(    stops, n_entries) {
	stops = name ~ /_(puts?|visible|put_signal)$/ ? "KA" entry_of(1) : \
							"A" entry_of(0)
	if (name ~ /_put_signal$/)
		stops = stops entry_of(0)
	n_entries = name ~ /_put_signal$/ ? 2 : 1
	stops = stops "T"
	if (format == "mlx5")
		stops = stops "R"
	for (; format == "bnxt" && n_entries; n_entries--)
		stops = stops "QD"
	return stops "DQQ"
}

function entry_of(by_address) {
	return format == "bnxt" || (format == "mlx5" && by_address) ? "EEE" : \
								      "EEEE"
}

# By breadth: state is an instruction and how many of the stops were passed.
function shortest(    stops, n_stops, head, tail, s, i, k, words) {
	stops = stops_of()
	n_stops = length(stops)
	split("", from)
	queue[tail = 1] = 1 * 32
	from[32] = 0
	for (head = 1; head <= tail; head++) {
		s = queue[head]
		i = int(s / 32)
		k = s % 32
		if (i > n)
			continue
		if (code[i] ~ /^s_endpgm/) {
			if (k == n_stops)
				return told(stops, s)
			continue
		}
		if (k < n_stops && kind[i] == substr(stops, k + 1, 1))
			k++
		if (code[i] ~ /^s_c?branch/) {
			split(code[i], words, " ")
			tail = reach(at[words[2]] * 32 + k, s, tail)
		}
		if (code[i] !~ /^(s_branch|s_setpc)/)
			tail = reach((i + 1) * 32 + k, s, tail)
	}
	bad("no way by " stops)
}

function reach(s, by, tail) {
	if (s in from)
		return tail
	from[s] = by
	queue[++tail] = s
	return tail
}

# Goes back along the way: counts, and what stands between two stops.
function told(stops, s,    length_, backs, waits, i, k, before, want) {
	split("", waits)
	for (; s; s = before) {
		before = from[s]
		i = int(s / 32)
		k = s % 32
		length_++
		if (kind[i] == "B")
			backs++
		if (kind[i] == "W")
			waits[k]++
	}
	want = name ~ /_puts?(_signal)?$/ && gen != "gfx11" ? 1 : 0
	if (backs + 0 != want)
		bad(backs + 0 " write-backs for one post, not " want)
	match(stops, /E+/)
	between(waits, RSTART + RLENGTH - 1, "entries")
	if (format == "mlx5")
		between(waits, index(stops, "R"), "the record")
	if (format == "bnxt")
		between(waits, index(stops, "DDQQ"), "the table")
	printf "  %-6s %-16s %5d instructions\n", format, name, length_
}

# Waits after stop k, before the next one.
function between(waits, k, words) {
	if (!waits[k] || (gen !~ /^gfx9/ && waits[k] > 1))
		bad(waits[k] + 0 " waits after " words)
}

function bad(what) {
	print "  " gen " " format " " name ": " what
	failed = 1
}
