# SPDX-License-Identifier: BSD-3-Clause
# Makes a C file of the output of dump_api: a shmem_x for each routine, which
# notes that it was called and calls pshmem_x. pshmem_x is the library's, so
# that nothing is noted that did not reach the caller's shmem_x.
BEGIN {
	FS = "\t"
	print "#include \"api.h\"\n\n#pragma GCC diagnostic ignored \"-Wpedantic\"\n"
}

# The names in a parameter list; what the ellipsis holds is left out.
function arguments(params,    list, n, i, text) {
	gsub(/^\(|\)$/, "", params)
	n = split(params, list, ",")
	for (i = 1; i <= n; i++) {
		if (list[i] ~ /void$|\.\.\.$/)
			continue
		sub(/^.*[ *]/, "", list[i])
		text = text (text == "" ? "" : ", ") list[i]
	}
	return text
}

{
	exits = $2 ~ /_Noreturn/
	printf "%s %s%s\n{\n\tapi_called(%d);\n", $2, $1, $3, NR - 1
	if (exits)
		print "\tapi_called_write();"
	printf "\t%sp%s(%s);\n}\n\n", $2 ~ /^void$|_Noreturn/ ? "" : "return ", $1, arguments($3)
}
