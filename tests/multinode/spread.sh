# SPDX-License-Identifier: BSD-3-Clause
# The start of net.sh's OSHRUN: turns `-n N` of "$@" into --host, by HOSTS or
# over all of $hosts, the later ones with more PEs: 8 are 3 + 5 on two.

# spread N: N PEs as "a:3,b:5".
spread() {
	echo "$hosts" | awk -v n="$1" '{
		for (i = 1; i <= NF && n > 0; i++) {
			left = NF - i + 1
			k = (left == 1) ? n : int((n - (n > 2 * NF)) / left)
			k = (k < 1) ? 1 : k
			printf "%s%s:%d", (i > 1 ? "," : ""), $i, k
			n -= k
		}
	}'
}

pes=
if [ "${1-}" = -n ]; then
	pes=$2
	shift 2
	set -- -n "$pes" --host "${HOSTS:-$(spread "$pes")}" ${SEED:+-x SEED} "$@"
fi
