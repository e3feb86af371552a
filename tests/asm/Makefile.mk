# SPDX-License-Identifier: BSD-3-Clause
TESTS += tests/asm/primitives.sh tests/asm/order.sh tests/asm/api.sh \
	tests/asm/gda.sh tests/asm/kernels.sh tests/asm/library.sh
EXTRA_DIST += tests/asm/api.hip tests/asm/api.rules tests/asm/api.sh \
	tests/asm/check.awk tests/asm/flow.awk tests/asm/gda.awk \
	tests/asm/gda.hip tests/asm/gda.sh tests/asm/kernels.awk \
	tests/asm/kernels.sh tests/asm/lib.sh tests/asm/library.sh \
	tests/asm/order.hip tests/asm/order.rules tests/asm/order.sh \
	tests/asm/primitives.hip tests/asm/primitives.rules \
	tests/asm/primitives.sh
