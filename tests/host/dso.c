/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of a shared library; static_data expects it not symmetric. */
#include "dso.h"

static long dso_value = 5;
static long dso_zeros[1000];

long *dso_static(void)
{
	return dso_zeros;
}

long *dso_global(void)
{
	return &dso_value;
}
