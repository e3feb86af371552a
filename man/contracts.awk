# SPDX-License-Identifier: BSD-3-Clause
# Reads the tables of the API with their contracts, and checks the form of these
# (include/shmem/tables.def has it) and that they fit the rows below them.
#
#	awk -f contracts.awk ROWS generic.h exchange.h TABLE.def...
#
# ROWS is what man/rows prints; the tables follow in the order of tables.def,
# then kernel.def, stream.def, exchange.def, moe.def and network.def.
# A fault is told as FILE:LINE: TEXT, and the exit status is 1.
#
# For pages.awk, row r is kind[r], verb[r], tail[r], class[r], ret[r] and
# params[r], and contract c, in file[c], has names[c], the first of which is
# first[c], head[c], about[c] (paragraphs by newlines), args[c] (by semicolons;
# their text is text[c, args]), text[c, label] and rows_of[c].
BEGIN {
	FS = "\t"
	split("Completion Ordering Collective Returns Errors Notes " \
		"Deprecated Source", order_of, " ")
	for (i in order_of)
		rank[order_of[i]] = i + 0
	needs["rma"] = "Completion Ordering"
	needs["amo"] = "Completion Ordering"
	needs["signal"] = "Completion Ordering"
	needs["sync"] = "Completion Ordering"
	needs["order"] = "Completion Ordering"
	needs["exchange"] = "Completion Collective"
	needs["lock"] = "Completion"
	needs["memory"] = "Collective"
	needs["collective"] = "Completion Collective"
	needs["deprecated"] = "Deprecated"
}

# checked is the contract that is looked at after all files are read.
function complain(line, text) {
	printf "%s:%d: %s\n", checked ? file[checked] : FILENAME, line, text \
		>"/dev/stderr"
	failed = 1
}

# --- What the tables define -------------------------------------------------

$1 == "type" { types[$2] = types[$2] " " $3; ctype[$2, $3] = $4; next }
$1 == "row" {
	kind[++nrows] = $2
	verb[nrows] = $3
	tail[nrows] = $4
	class[nrows] = $5
	ret[nrows] = $6
	params[nrows] = $7
	next
}
/^#define shmemx?_[a-z0-9_]*\(/ {
	match($0, /shmemx?_[a-z0-9_]*/)
	generic[substr($0, RSTART, RLENGTH)] = 1
}

function has_ctx(r) {
	return kind[r] == "typed_ctx" || kind[r] == "strided" || \
		kind[r] == "rma"
}

# Of an operation on a stream, put is shmemx_long_put_on_stream.
function prefix(r) {
	return kind[r] ~ /^(stream|x)_/ ? "shmemx_" : "shmem_"
}

function suffix(r) {
	return tail[r] (kind[r] ~ /^stream_/ ? "_on_stream" : "")
}

# The names by which a contract calls a row.
function row_names(r) {
	if (kind[r] == "plain")
		return verb[r]
	if (kind[r] == "old_coll")
		return "shmem_" verb[r] "32 shmem_" verb[r] "64"
	return prefix(r) verb[r] suffix(r)
}

# What names a row's forms that are sized in bits or bytes.
function row_sizes(r) {
	if (kind[r] == "rma" || kind[r] == "stream_rma")
		return "8 16 32 64 128 mem"
	if (kind[r] == "strided")
		return "8 16 32 64 128"
	return kind[r] ~ /coll$/ ? "mem" : ""
}

# The names of all functions of a row.
function row_functions(r,    list, t, n, i) {
	if (kind[r] == "plain" || kind[r] == "old_coll")
		return row_names(r)
	n = split(types[class[r]], t, " ")
	for (i = 1; i <= n; i++)
		list = list " " prefix(r) t[i] "_" verb[r] suffix(r)
	if (has_ctx(r))
		for (i = 1; i <= n; i++)
			list = list " shmem_ctx_" t[i] "_" verb[r] tail[r]
	n = split(row_sizes(r), t, " ")
	for (i = 1; i <= n; i++) {
		list = list " " prefix(r) verb[r] t[i] suffix(r)
		if (has_ctx(r))
			list = list " shmem_ctx_" verb[r] t[i] tail[r]
	}
	return list
}

# --- Contracts --------------------------------------------------------------

FNR == 1 { last = ""; inside = intro = 0 }
FILENAME !~ /\.def$/ { next }

function width(line,    i, n) {
	n = 0
	for (i = 1; i <= length(line); i++)
		n = substr(line, i, 1) == "\t" ? n + 8 - n % 8 : n + 1
	return n
}

width($0) > 80 { complain(FNR, "more than 80 columns") }

# A comment below the licence tells of the table.
$0 == "/*" && FNR == 2 { intro = 1; next }
intro { intro = $0 != " */"; next }
$0 == "/*" {
	c = ++ncontracts
	file[c] = FILENAME
	start[c] = FNR
	inside = 1
	last = "head"
	next
}
inside && $0 == " */" { inside = 0; next }
inside { contract_line(substr($0, 3)); next }
/^SHMEMI_/ {
	if (file[c] != FILENAME)
		complain(FNR, "a row without a contract")
	rows_of[c] = rows_of[c] " " ++seen
}

function contract_line(line,    word, list) {
	if (line == "") {
		last = ""
	} else if (last == "head") {
		head[c] = head[c] (head[c] == "" ? "" : " ") substr(line, 2)
	} else if (line ~ /^\t/ && last in rank) {
		text[c, last] = text[c, last] " " substr(line, 2)
	} else if (line ~ /^ [A-Za-z_]+(, [A-Za-z_]+)*  +(in|out|inout): ./) {
		list = substr(line, 2)
		sub(/  +.*/, "", list)
		sub(/^ [A-Za-z_, ]*  +/, "", line)
		args[c] = args[c] (args[c] == "" ? "" : ";") list
		text[c, list] = line
		last = list
	} else if (line ~ /^    / && (c, last) in text && !(last in rank)) {
		sub(/^ +/, "", line)
		text[c, last] = text[c, last] " " line
	} else if (line ~ /^ [A-Z][a-z]+: /) {
		word = substr(line, 2, index(line, ":") - 2)
		if (!(word in rank))
			complain(FNR, "unknown label " word)
		else if ((c, word) in text || rank[word] < newest[c])
			complain(FNR, word " is out of order")
		newest[c] = rank[word]
		text[c, word] = substr(line, length(word) + 4)
		last = word
	} else if (line ~ /^ [^ ]/ && (last == "" || last == "about") && \
			args[c] == "" && !newest[c]) {
		about[c] = about[c] (last == "about" ? " " : \
			about[c] == "" ? "" : "\n") substr(line, 2)
		last = "about"
	} else {
		complain(FNR, "neither text, argument nor label")
	}
}

# Sets name[1..n] to the arguments of a row.
function row_args(r, name,    n, i, p, list) {
	split(params[r], p, ", ")
	n = 0
	if (has_ctx(r))
		name[++n] = "ctx"
	for (i = 1; i in p; i++)
		if (p[i] != "void" && p[i] != "...") {
			match(p[i], /[A-Za-z0-9_]+$/)
			name[++n] = substr(p[i], RSTART)
		}
	return n
}

function check_names(    r, n, i, k, list, given, a) {
	n = split(rows_of[c], r, " ")
	for (i = 1; i <= n; i++) {
		split(row_names(r[i]), a, " ")
		for (k = 1; k in a; k++)
			if (index(", " list ", ", ", " a[k] ", ") == 0)
				list = list (list == "" ? "" : ", ") a[k]
	}
	given = head[c]
	if (!sub(/ - .*/, "", given))
		complain(start[c], "no summary: expected \"names - summary\"")
	if (given != list)
		complain(start[c], "a contract of " given \
			" stands above the rows of " list)
	names[c] = list
}

function check_args(    r, n, i, k, m, a, p, have, used) {
	n = split(args[c], p, /[;,] */)
	for (i = 1; i <= n; i++) {
		if (p[i] in have)
			complain(start[c], p[i] " is described twice")
		have[p[i]] = is_arg[c, p[i]] = 1
	}
	n = split(rows_of[c], r, " ")
	for (i = 1; i <= n; i++) {
		m = row_args(r[i], a)
		for (k = 1; k <= m; k++) {
			if (!(a[k] in have) && !(a[k] in used))
				complain(start[c], "argument " a[k] \
					" is not described")
			used[a[k]] = 1
		}
	}
	for (i in have)
		if (!(i in used))
			complain(start[c], i " is no argument of the rows")
}

function check_labels(    r, n, i, table, list, value) {
	table = file[c]
	gsub(/.*\/|\.def$/, "", table)
	n = split("Errors Source " needs[table], list, " ")
	for (i = 1; i <= n; i++)
		if (!((c, list[i]) in text))
			complain(start[c], "no " list[i])
	n = split(rows_of[c], r, " ")
	for (i = 1; i <= n; i++)
		if (ret[r[i]] !~ /void$/)
			value = 1
	if (value && !((c, "Returns") in text))
		complain(start[c], "no Returns, but there is a result")
	if (!value && (c, "Returns") in text)
		complain(start[c], "Returns, but there is no result")
	if (about[c] == "")
		complain(start[c], "no description")
	if (text[c, "Source"] !~ /^OpenSHMEM 1\.6, ([0-9][0-9.]*|annex E)/ && \
			text[c, "Source"] !~ /^Sirocco, (kernels|exchanges|MoE|network)/)
		complain(start[c], "Source names no section of OpenSHMEM 1.6")
}

END {
	if (seen != nrows)
		complain(FNR, "the tables have " seen " rows, of " nrows)
	for (c = 1; c <= ncontracts; c++) {
		checked = c
		check_names()
		check_args()
		check_labels()
		first[c] = names[c]
		sub(/,.*/, "", first[c])
		if (first[c] in is_page)
			complain(start[c], "two pages are called " first[c])
		is_page[first[c]] = 1
	}
	if (failed)
		exit 1
}
