#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Posts to queues of NICs: for each format, entries, record and doorbell are in
# order on every way, and paid for once (gda.awk); neither kernels nor what they
# call keep registers in memory. Prints how many instructions a post takes, of
# one item and of a wave's 32 or 64, who post together.
set -u
. "$SRCDIR/tests/asm/lib.sh"
need_hip
failed=0

# Instead of lib.sh's: by gda.awk, for $format.
check() {
	awk -v "gen=$(generation "$1")" -v "format=$format" -f "$asm/gda.awk" \
		"$2"
	posts_kept=$?
	awk -v "gen=$(generation "$1")" -f "$asm/flow.awk" "$2" &&
		[ $posts_kept = 0 ]
}

# posts ARCH: the kernels for $format alone, as $work/ARCH.k
posts() {
	compile "$1" -S -o "$work/$1.s" \
		"-DPOST_FORMAT=SHMEMD_GDA_$(echo "$format" | tr a-z A-Z)" \
		"$asm/gda.hip" &&
		awk -f "$asm/kernels.awk" "$work/$1.s" >"$work/$1.k"
}

# memory KERNELS: whether none has any, by the compiler's account. Scalars may
# lie in lanes of a vector register over a call.
memory() {
	awk '$2 ~ /^;(ScratchSize|vgpr_spill_count)$/ && $3 > 0 ||
			$2 ~ /^scratch_/ {
			print "  memory: " $0
			failed = 1
		}
		$2 == ";instructions" && ($1 ~ /^any_/ || $1 ~ /gda_post/) {
			printf "  %-23s %5d instructions in all\n", $1, $3
			n++
		}
		END { exit failed || n < 8 }' "$1"
}

for arch in $archs; do
	echo "$arch"
	case $(generation "$arch") in
	gfx11) wait='s_waitcnt_vscnt null, 0x0' ;;
	gfx12) wait='s_wait_storecnt 0x0' ;;
	*) wait='s_waitcnt vmcnt\(0\)' ;;
	esac
	back="\\1buffer_wbl2\\n\\1$wait\\n\\1\\2"
	word='/^[^ ]*gda_post_word[^ ]* /'
	for format in mlx5 bnxt ionic verbs; do
		posts "$arch" && check "$arch" "$work/$arch.k" || failed=1
	done
	format=mlx5
	posts "$arch" || continue
	if [ "$(generation "$arch")" != gfx11 ]; then
		mutate "$arch" 'no write-back' \
			'/^wave_puts (buffer_wbl2|global_wb)/d'
		mutate "$arch" 'a write-back too many' "$word"\
's/^([^ ]+ )(.*_store_(dwordx4|b128).*)/'"$back/"
	fi
	mutate "$arch" 'no waits' "$word{/ $wait/d}"
	mutate "$arch" 'no wait for the record' \
		"$word{/ global_store_(dword|b32) v\\[/,/_store_(dwordx2|b64)/{/$wait/d}}"
	mutate "$arch" 'an entry in a cache' \
		"$word"'{/_store_(dwordx4|b128)/s/ off .*/ off/}'
	mutate "$arch" 'an entry in words' \
		's/_store_(dwordx4|b128)/_store_dwordx3/'
	mutate "$arch" 'a spill' '/^wave_puts ;ScratchSize/s/ 0$/ 16/'
	read_kernels "$arch" "$asm/gda.hip" && memory "$work/$arch.k" ||
		failed=1
done
exit $failed
