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

static const char *const setting_prefixes[] = { "SHMEM_", "UCX_" };

static bool has_prefix(const char *var, const char *const *prefixes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(var, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static bool is_outer(const char *var)
{
	return has_prefix(var, outer_prefixes,
			  sizeof(outer_prefixes) / sizeof(*outer_prefixes));
}

bool env_is_setting(const char *var)
{
	return has_prefix(var, setting_prefixes,
			  sizeof(setting_prefixes) / sizeof(*setting_prefixes));
}

bool env_is_exported(const struct oshrun_options *opt, const char *var)
{
	const size_t length = strcspn(var, "=");

	for (unsigned i = 0; i < opt->nexports; i++)
		if (strcspn(opt->exports[i], "=") == length &&
		    !strncmp(opt->exports[i], var, length))
			return true;
	return false;
}

bool env_can_export(const char *export)
{
	if (strchr(export, '=') || getenv(export))
		return true;
	oshrun_say("-x %s: no such variable is set here", export);
	return false;
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

		if (env_can_export(var) && strchr(var, '='))
			putenv(var);
	}
}
