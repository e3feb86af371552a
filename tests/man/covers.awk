# SPDX-License-Identifier: BSD-3-Clause
# covers.awk -v dir=MAN3 ROWS DUMP: every routine of DUMP (src/tools/dump_api)
# has a page in dir that names it and describes its arguments. ROWS is of
# man/rows and tells the TYPENAMEs.
BEGIN { FS = "\t" }

function complain(text) {
	if (++bad <= 20)
		print text
}

# The plain text of a page: fonts gone, .BI joined as it is read.
function read_page(path,    line, text, n) {
	while ((getline line <path) > 0) {
		n++
		if (line ~ /^\.BI /)
			gsub(/"|^\.BI /, "", line)
		gsub(/\\f[BIPR]/, "", line)
		text = text "\n" line
	}
	close(path)
	return n ? text "\n" : ""
}

function section(text, title,    at) {
	at = index(text, "\n.SH " title "\n")
	if (!at)
		return ""
	text = substr(text, at + 5)
	at = index(text, "\n.SH ")
	return substr(text, 1, at)
}

# A word of text: no identifier goes on before or behind it.
function has(text, word) {
	return match(text, "(^|[^A-Za-z0-9_])" word "[^A-Za-z0-9_]")
}

function names(text, name,    synopsis, listed, sized, t, form) {
	synopsis = section(text, "SYNOPSIS")
	if (has(synopsis, name))
		return 1
	listed = section(text, "TYPES")
	sized = listed ~ /SIZE is/
	gsub(/\([^()]*\)/, "", listed)
	for (t in typename) {
		form = name
		if (sub("_" t "_", "_TYPENAME_", form) && \
				has(synopsis, form) && has(listed, t))
			return 1
	}
	form = name
	return sub(/(8|16|32|64|128)/, "SIZE", form) && has(synopsis, form) && sized
}

$1 == "type" { typename[$3] = 1; next }
$1 == "row" { next }
{
	routines++
	text = read_page(dir "/" $1 ".3")
	if (text == "") {
		complain($1 ": no page")
		next
	}
	if (!names(text, $1))
		complain($1 ": its page does not name it")
	arguments = section(text, "ARGUMENTS")
	gsub(/^\(|\)$/, "", $3)
	n = split($3, param, ", ")
	for (i = 1; i <= n; i++) {
		if (param[i] == "void" || param[i] == "...")
			continue
		match(param[i], /[A-Za-z0-9_]+$/)
		arg = substr(param[i], RSTART)
		if (arguments !~ ("\n\\.IR ([^\n]* )?" arg " [^\n]*\\((in|out|inout)\\)"))
			complain($1 ": argument " arg " is not described")
	}
}
END {
	print routines " routines, " bad + 0 " faults"
	exit routines < 1 || bad > 0
}
