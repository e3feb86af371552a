/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/env.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/job.h"
#include "launch/message.h"
#include "launch/options.h"

static const char *const outer_prefixes[] = { "PMIX_", "PRTE_", "OMPI_",
					      "PMI_" };

static int is_outer(const char *var)
{
	for (size_t i = 0; i < sizeof(outer_prefixes) / sizeof(*outer_prefixes);
	     i++)
		if (!strncmp(var, outer_prefixes[i], strlen(outer_prefixes[i])))
			return 1;
	return 0;
}

void env_scrub(void)
{
	char **from, **to = environ;

	for (from = environ; *from; from++)
		if (!is_outer(*from))
			*to++ = *from;
	*to = NULL;
}

void env_export(const struct oshrun_options *opt)
{
	for (unsigned i = 0; i < opt->nexports; i++) {
		char *var = opt->exports[i];

		if (strchr(var, '='))
			putenv(var);
		else if (!getenv(var))
			oshrun_say("-x %s: no such variable is set here", var);
	}
}
