/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descendants that outlive their PE. oshrun is their reaper, so they become
 * its children, whatever group or session they are in.
 */
#ifndef OSHRUN_STRAGGLERS_H
#define OSHRUN_STRAGGLERS_H

struct job;

/* Makes us the reaper of orphaned descendants. */
void stragglers_adopt(void);

/*
 * Kills and reaps every descendant but the guardian; call when no PE is left
 * (a PE that is would be reaped as well).
 */
void stragglers_kill(struct job *job);

/*
 * Kills every process whose environment holds PMIX_NAMESPACE=nspace, for
 * when their ancestor is gone; the caller must not be one of them.
 */
void stragglers_kill_marked(const char *nspace);

#endif
