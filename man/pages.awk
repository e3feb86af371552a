# SPDX-License-Identifier: BSD-3-Clause
# The manual, section 3, from the tables of the API.
#
#	awk -v out=DIR -v date=DATE -v release=TEXT -f contracts.awk \
#		-f pages.awk ROWS generic.h TABLE.def...
#
# Writes a page for each contract into DIR and prints a line "NAME PAGE" for
# each other name of a routine.
BEGIN {
	title["Returns"] = "RETURN VALUE"
	title["Source"] = "STANDARDS"
}

function escape(s,    done) {
	gsub(/\\/, "\\e", s)
	gsub(/\^/, "\\(ha", s)
	gsub(/~/, "\\(ti", s)
	gsub(/'/, "\\(aq", s)
	while (match(s, /(^|[ (=])-([ 0-9]|$)/)) {
		done = done substr(s, 1, RSTART - 1)
		s = substr(s, RSTART)
		sub(/-/, "\\-", s)
		done = done substr(s, 1, 3)
		s = substr(s, 4)
	}
	return done s
}

function embolden(word) {
	if (match(word, /(shmemx?|SHMEMX?)_[A-Za-z0-9_*]*[A-Za-z0-9*]/))
		return substr(word, 1, RSTART - 1) "\\fB" \
			substr(word, RSTART, RLENGTH) "\\fP" \
			substr(word, RSTART + RLENGTH)
	return word
}

# Fills lines of at most 78 bytes; names of routines are bold if bold is set.
function fill(s, bold,    w, n, i, line, word) {
	n = split(escape(s), w, " ")
	for (i = 1; i <= n; i++) {
		word = bold ? embolden(w[i]) : w[i]
		if (line != "" && length(line) + length(word) > 77) {
			print line >page
			line = ""
		}
		if (line == "" && word ~ /^[.]/)
			word = "\\&" word
		line = line (line == "" ? "" : " ") word
	}
	print line >page
}

function section(name) {
	print ".SH " (name ~ / / ? "\"" name "\"" : name) >page
}

# A prototype by .BI: bold and italic by turns, over as many lines as needed.
function prototype(result, name, list, type,    p, n, i, line, piece, arg) {
	gsub(/TYPE/, type, list)
	gsub(/TYPE/, type, result)
	line = result (result ~ /\*$/ ? "" : " ") name "("
	gsub(/TYPENAME|SIZE/, "\\fI&\\fB", line)
	line = ".BI \"" line
	n = split(list, p, ", ")
	for (i = 1; i <= n; i++) {
		arg = p[i]
		piece = ""
		if (arg != "void" && arg != "...") {
			match(arg, /[A-Za-z0-9_]+$/)
			piece = "\" " substr(arg, RSTART) " \""
			arg = substr(arg, 1, RSTART - 1)
		}
		if (i > 1 && length(line arg piece) > 74) {
			print line ",\"" >page
			line = ".BI \"    "
		} else if (i > 1) {
			line = line ", "
		}
		line = line arg piece
	}
	print line ");\"" >page
}

function forms(r, result, name, list, type) {
	prototype(result, prefix(r) name suffix(r), list, type)
	if (has_ctx(r))
		prototype(result, "shmem_ctx_" name tail[r], \
			"shmem_ctx_t ctx, " list, type)
}

function plain_synopsis(r,    name) {
	name = verb[r]
	if (name != "shmem_sync" && sub(/_(ctx|team)_/, "_", name) && \
			name in generic) {
		print "/* C11 and C++ */" >page
		prototype(ret[r], name, params[r], "")
		print "/* C */" >page
	}
	prototype(ret[r], verb[r], params[r], "")
}

function synopsis_of(r,    name) {
	name = verb[r] tail[r]
	if (kind[r] == "plain") {
		plain_synopsis(r)
		return
	}
	if (kind[r] == "old_coll") {
		prototype(ret[r], "shmem_" verb[r] "32", params[r], "void")
		prototype(ret[r], "shmem_" verb[r] "64", params[r], "void")
		return
	}
	if (kind[r] !~ /^stream_/ && (prefix(r) name) in generic) {
		print "/* C11 and C++ */" >page
		prototype(ret[r], prefix(r) name, params[r], "TYPE")
		if (has_ctx(r))
			prototype(ret[r], "shmem_" name, \
				"shmem_ctx_t ctx, " params[r], "TYPE")
		print "/* C */" >page
	}
	forms(r, ret[r], "TYPENAME_" verb[r], params[r], "TYPE")
	if (row_sizes(r) ~ /8/)
		forms(r, ret[r], verb[r] "SIZE", params[r], "void")
	if (row_sizes(r) ~ /mem/)
		forms(r, ret[r], verb[r] "mem", params[r], "void")
}

function synopsis(    r, n, i, k) {
	section("SYNOPSIS")
	print ".nf\n.B #include <" (first[c] ~ /^shmemx/ ? "shmemx" : "shmem") \
		".h>" >page
	n = split(rows_of[c], r, " ")
	for (i = 1; i <= n; i++) {
		k = kind[r[i]]
		if (i == 1 || k != "plain" || kind[r[i - 1]] != "plain")
			print ".PP" >page
		synopsis_of(r[i])
	}
	print ".fi" >page
}

function type_text(set, name) {
	if (ctype[set, name] == name)
		return name
	return name " (" ctype[set, name] ")"
}

# A paragraph for each class of types that the rows are of.
function types_section(    r, n, i, t, m, k, list, by_class, any, many, begun) {
	n = split(rows_of[c], r, " ")
	for (i = 1; i <= n; i++) {
		if (class[r[i]] == "")
			continue
		if (!(class[r[i]] in by_class))
			many++
		by_class[class[r[i]]] = by_class[class[r[i]]] ", " \
			row_names(r[i])
	}
	if (!many)
		return
	section("TYPES")
	for (i = 1; i <= n; i++) {
		k = class[r[i]]
		if (!(k in by_class))
			continue
		list = ""
		m = split(types[k], t, " ")
		for (any = 1; any <= m; any++)
			list = list (any > 1 ? ", " : "") type_text(k, t[any])
		if (begun++)
			print ".PP" >page
		fill((many > 1 ? "For " substr(by_class[k], 3) ", " : "") \
			"TYPENAME (TYPE, if it is another) is one of " list \
			".", 1)
		delete by_class[k]
	}
	for (i = 1; i <= n; i++)
		if (row_sizes(r[i]) ~ /8/) {
			print ".PP" >page
			fill("SIZE is 8, 16, 32, 64 or 128: bits of an element.", 0)
			return
		}
}

function arguments(    n, i, a, m, k, list, s) {
	if (args[c] == "")
		return
	section("ARGUMENTS")
	n = split(args[c], list, ";")
	for (i = 1; i <= n; i++) {
		s = text[c, list[i]]
		m = split(list[i], a, ", ")
		printf ".TP\n.IR %s", a[1] >page
		for (k = 2; k <= m; k++)
			printf " \", \" %s", a[k] >page
		printf " \" (%s)\"\n", substr(s, 1, index(s, ":") - 1) >page
		fill(substr(s, index(s, ":") + 2) ".", 1)
	}
}

function label_section(label,    s, word) {
	if (!((c, label) in text))
		return
	section(label in title ? title[label] : toupper(label))
	s = text[c, label]
	word = s
	sub(/[^A-Za-z_:].*/, "", word)
	if (!((c, word) in is_arg) && word !~ /[_:]/)
		s = toupper(substr(s, 1, 1)) substr(s, 2)
	fill(s (label == "Source" ? "." : ""), 1)
	if (label == "Errors" && s !~ /^(None|Calls)/) {
		print ".PP" >page
		fill("Looked for if SHMEM_CHECK=1, and those after " \
			"\"always\" in any case.", 1)
	}
}

# --- What kernels call -------------------------------------------------------

function table_of(c,    name) {
	name = file[c]
	gsub(/.*\/|\.def$/, "", name)
	return name
}

# The groups that call a row together; "" for one work-item only; 0 for none.
function row_groups(r, table) {
	if (table == "collective" || table == "exchange")
		return "wave wg grid"
	if (table == "sync" || table == "order" || \
			row_names(r) ~ /^shmemx_ctx_(flush|error)$/ || \
			row_names(r) == "shmem_signal_wait_until" || \
			(table == "rma" || table == "signal") && \
			(kind[r] == "rma" || kind[r] == "strided"))
		return "wave wg"
	if (table ~ /^(rma|amo|signal|context)$/ || row_names(r) ~ \
			/_(my_pe|n_pes|translate_pe|ptr|accessible)$/ && \
			table ~ /^(setup|team)$/)
		return ""
	return 0
}

# Names of the group forms, the typed ones aside.
function group_names(r, group,    list, name, t, n, i) {
	name = row_names(r)
	sub(/^shmemx?_/, "", name)
	list = " shmemx_" name "_" group
	n = split(row_sizes(r), t, " ")
	for (i = 1; i <= n; i++) {
		name = verb[r] t[i] tail[r] "_" group
		list = list " shmemx_" name
		if (has_ctx(r))
			list = list " shmemx_ctx_" name
	}
	return list
}

# All group forms of contract c.
function all_groups(    r, n, i, g, m, k, list, groups) {
	n = split(rows_of[c], r, " ")
	for (i = 1; i <= n; i++) {
		groups = row_groups(r[i], table_of(c))
		m = groups == 0 ? 0 : split(groups, g, " ")
		for (k = 1; k <= m; k++)
			list = list group_names(r[i], g[k])
	}
	return list
}

function kernels_section(    r, n, i, name, groups, list) {
	n = split(rows_of[c], r, " ")
	groups = row_groups(r[1], table_of(c))
	if (groups "" == "0")
		return
	section("KERNELS")
	if (groups == "") {
		fill("In kernels, each work-item calls for itself.", 1)
		return
	}
	gsub(/ /, ", _", groups)
	for (i = 1; i <= n; i++) {
		name = row_names(r[i])
		sub(/^shmem_/, "shmemx_", name)
		list = list (i > 1 ? ", " : "") name "_wg"
	}
	fill((table_of(c) == "exchange" ? "In kernels, the forms that end in _" : \
		"In kernels, each work-item calls for itself; the forms that " \
		"begin with shmemx and end in _") groups \
		" are called by all work-items of a group together: " list ".", 1)
}

function see_also(    i, others) {
	section("SEE ALSO")
	for (i = 1; i <= ncontracts; i++)
		if (i != c && file[i] == file[c])
			printf ".BR %s (3),\n", first[i] >page
	if (row_groups(substr(rows_of[c], 2) + 0, table_of(c)) "" != "0" || \
			table_of(c) == "kernel")
		print ".BR shmemx_kernels (7)," >page
	print ".BR sirocco (7)" >page
}

function write_page(    i, n, p) {
	page = out "/" first[c] ".3"
	print ".\\\" SPDX-License-Identifier: BSD-3-Clause" >page
	printf ".TH %s 3 %s \"%s\" \"Sirocco manual\"\n", \
		toupper(first[c]), date, release >page
	print ".nh\n.ad l" >page
	section("NAME")
	fill(head[c], 0)
	synopsis()
	section("DESCRIPTION")
	n = split(about[c], p, "\n")
	for (i = 1; i <= n; i++) {
		if (i > 1)
			print ".PP" >page
		fill(p[i], 1)
	}
	arguments()
	types_section()
	for (i = 1; i in order_of; i++)
		if (order_of[i] == "Source") {
			kernels_section()
			label_section("Source")
		} else {
			label_section(order_of[i])
		}
	see_also()
	close(page)
}

function claim(list,    n, i, a) {
	n = split(list, a, /,? +/)
	for (i = 1; i <= n; i++) {
		if (a[i] == "" || a[i] in claimed)
			continue
		claimed[a[i]] = 1
		if (a[i] != first[c])
			print a[i], first[c]
	}
}

END {
	for (c = 1; c <= ncontracts; c++) {
		n = split(rows_of[c], r, " ")
		for (i = 1; i <= n; i++)
			all = all " " row_functions(r[i])
		claim(names[c] " " all all_groups())
		all = ""
		write_page()
	}
}
