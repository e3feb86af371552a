# SPDX-License-Identifier: BSD-3-Clause
# Common to the scripts that run programs whose kernels drive a NIC in software;
# each sources it first.
. "${SRCDIR:-.}/tests/lib.sh"
grep -q '^#define HAVE_VERBS 1' "$top/config.h" ||
	skip "built without rdma-core"
grep -q '^#define HAVE_UCX 1' "$top/config.h" || skip "built without UCX"

SHMEM_GDA_LIBRARY=$top/tests/nic/.libs/libnic.so
NIC_DIR=$dir/tmp
NIC_STATS=$dir/stats
export SHMEM_GDA_LIBRARY NIC_DIR NIC_STATS

# nic KIND: of what follows.
nic() {
	SHMEM_GDA=$1
	NIC_DEVICES=$1
	export SHMEM_GDA NIC_DEVICES
}

# total NAME: a counter of the NICs of all processes of the last job.
total() {
	sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" "$NIC_STATS" |
		awk '{ n += $1 } END { print n + 0 }'
}

# minimum: that NICs have moved what tests/moe/far says, and for each entry at
# most the 16 bytes of a signal or a count.
minimum() {
	sent=$(sed -n 's/.*sent \([0-9]*\) bytes$/\1/p' "$dir/out" |
		awk '{ n += $1 } END { print n + 0 }')
	rest=$(($(total bytes) - sent))
	echo "$sent bytes of tokens, $rest more in $(total entries) entries"
	[ "$sent" -gt 0 ] && [ "$rest" -ge 0 ] &&
		[ "$rest" -le $((16 * $(total entries))) ] ||
		fail "not the least that must cross"
}

# by NODE_SIZE PES PROGRAM...: programs of tests/, on nodes of so many PEs. Each
# must have used the NIC. With GPU_SUFFIX=.gpu, those for a GPU.
by() {
	SHMEM_NODE_SIZE=$1
	export SHMEM_NODE_SIZE
	pes=$2
	shift 2
	for program; do
		: >"$NIC_STATS"
		begin=$(date +%s)
		file=$top/tests/$program
		[ ! -x "$file${GPU_SUFFIX-}" ] || file=$file${GPU_SUFFIX-}
		run 0 -n "$pes" "$file"
		[ "$(total entries)" -gt 0 ] ||
			fail "$program: no NIC was used"
		echo "$SHMEM_GDA: $program, $pes PEs," \
			"$SHMEM_NODE_SIZE a node:" \
			"$(total entries) entries, $(total doorbells)" \
			"doorbells, $(($(date +%s) - begin)) s"
	done
}
