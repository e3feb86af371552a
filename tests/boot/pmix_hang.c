/* SPDX-License-Identifier: BSD-3-Clause */
/* An abort that the PMIx server never answers must still end the process. */
#include <pmix.h>

#include "check.h"

/* Takes the place of libpmix's own. */
pmix_status_t PMIx_Abort(int status, const char msg[], pmix_proc_t procs[],
			 size_t nprocs)
{
	(void)status;
	(void)msg;
	(void)procs;
	(void)nprocs;
	for (;;)
		pause();
}

int main(void)
{
	struct boot *b = NULL;

	alarm(20);
	CHECK_EQ(boot_open(&b, 20), 0);
	boot_abort(b, 43, "unanswered");
}
