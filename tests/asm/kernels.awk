# SPDX-License-Identifier: BSD-3-Clause
# kernels.awk FILE.s: the kernels of LLVM's assembly for AMDGPU, one line each
# instruction: `KERNEL INSTRUCTION'; then `KERNEL ;WORD NUMBER' for its registers
# and memory. Comments and directives are left out.
/^[A-Za-z_][A-Za-z0-9_]*:/ {
	name = $1
	sub(/:.*/, "", name)
	inside = 1
	n = 0
	next
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
