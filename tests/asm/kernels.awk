# SPDX-License-Identifier: BSD-3-Clause
# kernels.awk FILE.s: the functions of LLVM's assembly for AMDGPU, one line each
# instruction or label: `FUNCTION INSTRUCTION'; `FUNCTION ;WORD NUMBER' for its
# registers, memory and spills. Other comments and directives are left out.
/^[A-Za-z_][A-Za-z0-9_]*:/ {
	name = $1
	sub(/:.*/, "", name)
	inside = 1
	n = 0
	next
}
inside && /^\.LBB[0-9_]+:/ {
	sub(/:.*/, ":")
	print name, $0
}
inside && /^\t; wave barrier/ {
	print name, ";wave_barrier 1"
}
inside && /^\t[a-z][a-z0-9_]+/ {
	sub(/[ \t]*;.*/, "")
	sub(/^[ \t]+/, "")
	gsub(/[ \t]+/, " ")
	print name, $0
	n++
}
/^\.Lfunc_end/ && inside {
	print name, ";instructions", n
	inside = 0
}
/^; (NumVgprs|TotalNumSgprs|NumSgprs|ScratchSize|LDSByteSize): [0-9]+/ && name {
	key = $2
	sub(/:/, "", key)
	print name, ";" key, $3 + 0
}
# The metadata at the end, of kernels only.
/^    \.name: / {
	name = $2
}
/^    \.[sv]gpr_spill_count: / {
	key = $1
	sub(/^\./, "", key)
	sub(/:/, "", key)
	print name, ";" key, $2 + 0
}
